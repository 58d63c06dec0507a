import t from 'tap'
import type { Report } from '../../spec/model/report.js'
import { greenReport, inconclusiveReport, redReport } from '../fixtures/sample-report.js'
import { reconcile } from './reconcile.js'

const [first, ...others] = redReport.results
if (!first) throw new Error('the sample has results')
const changed = (part: Partial<Report>) => reconcile({ ...redReport, ...part })

t.test('reports that hold together have no problems', async (t) => {
  t.strictSame(reconcile(redReport), [])
  t.strictSame(reconcile(greenReport), [])
  t.strictSame(reconcile(inconclusiveReport), [])
})

t.test('every inconsistency is named', async (t) => {
  const table: [Partial<Report>, string | RegExp][] = [
    [{ counts: { ...redReport.counts, failed: 5 } }, 'counts.failed is 5, the results say 6'],
    [{ counts: { ...redReport.counts, waived: 0 } }, 'counts.waived is 0, the results say 1'],
    [{ plan: { hash: 'x', planned: 11 } }, '11 results were planned, the report holds 10'],
    [{ results: [...others] }, '10 results were planned, the report holds 9'],
    [{ results: [first, first, ...others] }, `result ${first.id} occurs more than once`],
    [{ rules: [...redReport.rules, ...redReport.rules] }, 'rule 2.1-userName occurs more than once'],
    [{ results: [{ ...first, id: 'default/other' }, ...others] }, /default\/other is not named for/],
    [
      { results: [{ ...first, deployment: 'gone' }, ...others] },
      /names a deployment that the target does not have/,
    ],
    [
      { results: [{ ...first, outcome: 'passed' }, ...others] },
      `result ${first.id} is passed, the worst of its judgements is failed`,
    ],
    [
      { results: [{ ...first, outcome: 'passed', judgements: [] }, ...others] },
      `result ${first.id} is passed without a judgement`,
    ],
    [
      { results: [...others, { ...first, outcome: 'cantTell', waived: { reason: 'x', until: 'y' } }] },
      `result ${first.id} is waived but did not fail`,
    ],
    [{ rules: redReport.rules.slice(2) }, 'rule 2.1-token_type is judged but not listed'],
    [
      { rules: redReport.rules.map((rule) => ({ ...rule, results: [...rule.results, 'gone'] })) },
      'rule 2.1-userName lists result gone, which is not there',
    ],
    [
      { rules: redReport.rules.map((rule) => ({ ...rule, results: [] })) },
      `rule 2.1-userName does not list result ${first.id}, which judges it`,
    ],
    [
      { rules: redReport.rules.map((rule) => ({ ...rule, outcome: 'passed' as const })) },
      'rule 2.1-token_type is passed, the worst of its judgements is failed',
    ],
    [
      { rules: redReport.rules.map((rule) => ({ ...rule, outcome: 'passed' as const })) },
      'rule 1-purpose is untestable and cannot be passed',
    ],
    [
      { rules: redReport.rules.map((rule) => ({ ...rule, outcome: 'passed' as const })) },
      'rule 4.1-credentials is passed, the worst of its judgements is none',
    ],
    [{ verdict: 'conformant' }, 'the verdict is conformant, the results say nonconformant'],
  ]
  for (const [part, problem] of table) {
    const problems = changed(part)
    t.ok(
      problems.some((text) => (typeof problem === 'string' ? text === problem : problem.test(text))),
      String(problem),
      { problems },
    )
  }
})

t.test('a failed should fits both a strict and an ordinary run', async (t) => {
  const spelling = redReport.results.filter((result) => result.case === '4.1/content-type-spelling')
  const rules = redReport.rules.filter(({ id }) => id === '4.1-content-type-spelling')
  const counts = { passed: 0, failed: 1, cantTell: 0, inapplicable: 0, untested: 0, waived: 0 }
  const report = { ...greenReport, results: spelling, rules, counts, plan: { hash: 'x', planned: 1 } }
  t.strictSame(reconcile({ ...report, verdict: 'conformant' }), [])
  t.strictSame(reconcile({ ...report, verdict: 'nonconformant' }), [])
  t.equal(reconcile({ ...report, verdict: 'inconclusive' }).length, 1)
})
