import t from 'tap'
import { greenReport, hostile, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { renderJson } from '../json.js'
import { renderNdjson } from './ndjson.js'
import { isNdjson, readNdjson } from './read-ndjson.js'

const samples = { redReport, greenReport, inconclusiveReport }

t.test('a streamed report is the report', async (t) => {
  for (const [name, report] of Object.entries(samples)) {
    const text = renderNdjson(report)
    t.ok(isNdjson(text), name)
    t.strictSame(readNdjson(text), { report }, name)
    t.equal(text.split('\n').length, report.results.length + 3, 'a line for each result, header, footer')
    const [header = '', ...results] = text.trimEnd().split('\n')
    const footer = results.pop()
    t.strictSame(
      readNdjson([header, ...results.toReversed(), footer, ''].join('\n')),
      { report },
      'in whatever order they finished',
    )
  }
  t.notMatch(renderNdjson(redReport), /[^\P{C}\n]|##\[|##vso\[/u, 'harmless when printed')
  t.ok(
    JSON.stringify(redReport).includes(JSON.stringify(hostile).slice(1, 20)),
    'and there is something to harm',
  )
  t.notOk(isNdjson(renderJson(redReport)))
})

t.test('a stream that was cut short anywhere is refused', async (t) => {
  const text = renderNdjson(redReport)
  const whole = text.trimEnd().length
  const wrong = Array.from({ length: whole }, (_, length) => length).filter(
    (length) => 'report' in readNdjson(text.slice(0, length)),
  )
  t.strictSame(wrong, [])
  t.match(readNdjson(text.split('\n').slice(0, 3).join('\n')), {
    problem: new RegExp(`^the report is incomplete after 2 of ${redReport.results.length} results`),
    line: 3,
  })
})

t.test('lines that do not belong together are refused', async (t) => {
  const lines = renderNdjson(redReport).trimEnd().split('\n')
  const [header = '', first = '', ...rest] = lines
  const footer = rest.at(-1) ?? ''
  const refusals: readonly (readonly [readonly string[], RegExp, number])[] = [
    [[header, ...rest], /results were planned, found the lines of/, lines.length - 1],
    [[header, first, first, ...rest], /expected one line for each result, found a second/, 3],
    [[header, header, first, ...rest], /expected only one header/, 2],
    [[first, header, ...rest], /expected the header first/, 1],
    [[...lines, footer], /expected nothing after the footer/, lines.length + 1],
    [[header, 'not json', first, ...rest], /expected one JSON object in a line/, 2],
    [[header, '{"type":"other"}', first, ...rest], /expected a line of type/, 2],
  ]
  for (const [texts, problem, line] of refusals) t.match(readNdjson(texts.join('\n')), { problem, line })
})
