import t from 'tap'
import { greenReport, inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { renderJson, renderJsonPieces } from './json.js'

t.test('pieces of a report are the report', async (t) => {
  const [result] = redReport.results
  if (result === undefined) throw new Error('the sample has no result')
  const many = (count: number) => ({
    ...redReport,
    results: Array.from({ length: count }, (_, at) => ({ ...result, id: `${result.id}-${at}` })),
  })
  const samples = [redReport, greenReport, inconclusiveReport, ...[0, 1, 99, 100, 101, 200, 250].map(many)]
  for (const report of samples)
    t.equal([...renderJsonPieces(report)].join(''), renderJson(report), `${report.results.length} results`)

  // As it never is by its type, and yet as JSON would have it.
  const odd = { ...redReport, target: undefined, results: [] } as unknown as typeof redReport
  t.equal([...renderJsonPieces(odd)].join(''), renderJson(odd))
})

t.test('no piece grows with the report', async (t) => {
  const results = Array.from({ length: 1000 }, () => redReport.results).flat()
  const pieces = [...renderJsonPieces({ ...redReport, results })]
  const longest = Math.max(...pieces.map(({ length }) => length))
  const whole = pieces.reduce((sum, { length }) => sum + length, 0)
  t.ok(longest * 5 < whole, `${longest} of ${whole} characters`)
})
