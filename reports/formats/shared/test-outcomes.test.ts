import t from 'tap'
import type { Report } from '../../../spec/model/report.js'
import { greenReport, inconclusiveReport, redReport } from '../../fixtures/sample-report.js'
import { testOutcomes } from './test-outcomes.js'

const statuses = (report: Report) => testOutcomes(report).map(({ status }) => status)

t.test('what gates and what is inconclusive has failed, and nothing else', async (t) => {
  t.strictSame(statuses(redReport), [
    ...['failed', 'failed', 'failed', 'failed'],
    // A recommendation, and what is waived.
    ...['skipped', 'skipped'],
    // Not answered twice, not applicable, not reached.
    ...['failed', 'failed', 'skipped', 'failed'],
    // A stale entry of the baseline, and that the run was stopped.
    ...['failed', 'failed'],
  ])
  t.strictSame(statuses(greenReport), ['passed', 'skipped'])
  t.strictSame(new Set(statuses(inconclusiveReport)), new Set(['failed']))
  t.strictSame(statuses({ ...greenReport, results: [], rules: [] }), ['failed'], 'nothing was executed')
})

t.test('a failure says why, and how to repeat it', async (t) => {
  const [broken, , , , , waived, open] = testOutcomes(redReport)
  t.match(broken, { id: 'default/2.1/token-response', message: /^2\.1-token_type: The member token_type/ })
  t.match(broken?.text, /\n {2}repeat +curl [\s\S]*--replay 'default\/2\.1\/token-response@42:0'/)
  t.match(waived, { status: 'skipped', message: /^waived until 2027-01-31: / })
  t.match(open, { message: /^could not be judged: No one answers at / })
  for (const { message = '', text = '' } of testOutcomes(redReport))
    t.notMatch(`${message}\n${text}`, /[^\P{C}\n]|^::/mu, 'the text of a service is harmless')
})
