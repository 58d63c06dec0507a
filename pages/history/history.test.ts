import t from 'tap'
import { greenReport, redReport } from '../../reports/fixtures/sample-report.js'
import type { Outcome, Report } from '../../spec/model/report.js'
import { entryOf, slimReport, timelines } from './history.js'
import { historyView } from './history-part.js'

/** A run on a day, in which each rule ended so. */
function run(
  day: number,
  outcomes: Readonly<Record<string, Outcome>>,
  target = 'svc',
  baseUrl = `http://${target}`,
): Report {
  const rules = Object.keys(outcomes).map((id) => ({
    id,
    section: '1',
    level: 'must' as const,
    statement: id,
    outcome: outcomes[id] ?? null,
    results: [`default/${id}`],
  }))
  const results = Object.entries(outcomes).map(([rule, outcome]) => ({
    id: `default/${rule}`,
    case: rule,
    deployment: 'default',
    title: rule,
    outcome,
    durationMs: 1,
    judgements: [{ rule, outcome }],
    exchanges: [],
  }))
  const verdict = Object.values(outcomes).includes('failed') ? 'nonconformant' : 'conformant'
  const startedAt = `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`
  return {
    ...greenReport,
    rules,
    results,
    verdict,
    startedAt,
    target: { name: target, deployments: [{ name: 'default', baseUrl, declared: {} }] },
  }
}

const entries = (...runs: readonly Report[]) =>
  runs.map((report, index) => entryOf(`${index}`, `${index}.json`, report))

t.test('a line for each rule that was not always green, with what turned', async (t) => {
  const all = entries(
    run(3, { a: 'passed', b: 'failed', c: 'passed', d: 'failed', e: 'cantTell' }),
    run(1, { a: 'passed', b: 'passed', c: 'failed', d: 'failed', e: 'passed' }),
    run(2, { a: 'passed', b: 'passed', c: 'failed', d: 'failed', e: 'passed' }),
    run(9, { a: 'failed' }, 'other'),
  )
  const [other, line] = timelines(all)
  t.strictSame([other?.target, other?.runs.length], ['other', 1], 'the target that ran last comes first')
  t.strictSame(
    line?.lines.map(({ rule, states, turn }) => [rule, states.join(' '), turn]),
    [
      ['b', 'passed passed failed', 'new'],
      ['c', 'failed failed passed', 'fixed'],
      ['d', 'failed failed failed', undefined],
    ],
  )
  t.strictSame(line?.inconclusive, [0, 0, 1])
  t.equal(line?.alwaysGreen, 2, 'a and e: wherever they were judged')
})

t.test('a target that is given another name keeps its runs', async (t) => {
  const url = 'http://127.0.0.1:5000'
  const names = (...runs: readonly Report[]) =>
    timelines(entries(...runs)).map((line) => [
      line.target,
      line.runs.map(({ startedAt }) => Number(startedAt.slice(8, 10))),
    ])
  const green = { a: 'passed' } as const
  const named = run(3, green, 'Contoso', url)
  t.strictSame(
    names(named, run(1, green, '127.0.0.1:5000', url), run(2, { a: 'failed' }, '127.0.0.1:5000', url)),
    [['Contoso', [1, 2, 3]]],
  )
  t.strictSame(
    names(run(1, green, 'A', url), run(2, green, 'B', url), run(3, green, 'C', url)),
    [['C', [1, 2, 3]]],
    'twice',
  )
  t.strictSame(
    names(run(1, green, 'A', url), run(2, green, 'A', 'http://127.0.0.1:6000')),
    [['A', [1, 2]]],
    'elsewhere',
  )
  t.strictSame(
    names(run(1, green, 'A', url), run(2, green, 'B', url), run(3, green, 'A', url), run(4, green, 'B', url)),
    [
      ['B', [2, 4]],
      ['A', [1, 3]],
    ],
    'two services that take turns at one address are two',
  )
  t.strictSame(names(run(1, green, 'A', url), run(2, green, 'B', 'http://127.0.0.1:6000')).length, 2)
})

t.test('an outage is one row, and the newest run the first column', async (t) => {
  const outage = { a: 'cantTell', b: 'cantTell', c: 'cantTell', d: 'cantTell' } as const
  const all = entries(
    run(1, { a: 'passed', b: 'failed', c: 'passed', d: 'passed' }),
    run(2, outage),
    run(3, { a: 'passed', b: 'passed', c: 'passed', d: 'passed' }),
  )
  const { markup } = historyView(all, { pageOf: () => '/x', compares: false, problems: [] })
  const [, table = ''] = markup.split('<table class="lines">')
  t.strictSame(
    [...table.matchAll(/<tr><th scope="row">(.*?)<[\s\S]*?<\/tr>/g)].map(([row, name]) => [
      name,
      row
        .replace(/<span class="unseen">.*?<\/span>/g, '')
        .match(/[✗✓?](?: \d+)?/g)
        ?.join(' '),
    ]),
    [
      ['b', '✓ ? ✗'],
      ['Could not be judged', '? 4'],
    ],
  )
  const dates = [...table.matchAll(/<th scope="col"><span class="unseen">(.*?)</g)].map(([, date]) => date)
  t.strictSame(dates, ['2026-11-03 10:00', '2026-11-02 10:00', '2026-11-01 10:00'])
  t.match(markup, '3 rules passed in every run that judged them.')
})

t.test('runs of a part are listed, and say nothing of rules over time', async (t) => {
  const part = { ...run(2, { a: 'untested', b: 'passed' }), selection: { only: ['b'] } }
  const all = entries(run(1, { a: 'failed', b: 'passed' }), part, run(3, { a: 'passed', b: 'passed' }))
  const [line] = timelines(all)
  t.strictSame(
    line?.lines.map(({ states, turn }) => [states.join(' '), turn]),
    [['failed passed', 'fixed']],
  )
  const options = { pageOf: () => '/x', compares: true, problems: [] }
  const { markup } = historyView(all, options)
  t.equal(markup.match(/type="radio"/g)?.length, 6)
  t.match(markup, '(partial run)')
  t.notMatch(historyView(all.slice(0, 1), options).markup, 'radio', 'one report is compared with nothing')
  t.match(historyView([], options).markup, 'No reports yet')
})

t.test('a small copy keeps the evidence of what failed alone', async (t) => {
  const small = slimReport(redReport)
  for (const [index, result] of redReport.results.entries()) {
    const isRed = result.outcome === 'failed' || result.outcome === 'cantTell'
    t.strictSame(small.results[index]?.exchanges, isRed ? result.exchanges : [], result.id)
  }
  t.strictSame(small.counts, redReport.counts)
})
