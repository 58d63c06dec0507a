import t from 'tap'
import type { Judgement, Outcome, Result } from './report.js'
import { worst } from './summary.js'
import { verdictOf } from './verdict.js'

const rules = [
  { id: 'a', level: 'must' },
  { id: 'b', level: 'should' },
] as const

const judged = (...judgements: readonly (readonly [rule: string, outcome: Outcome])[]): Result => ({
  id: 'default/x',
  case: 'x',
  deployment: 'default',
  title: 'x',
  outcome: worst(judgements.map(([, outcome]) => outcome)) ?? 'untested',
  durationMs: 0,
  judgements: judgements.map(([rule, outcome]): Judgement => ({ rule, outcome })),
  exchanges: [],
})
const waived = { ...judged(['a', 'failed']), waived: { reason: 'known', until: '2027-01-01' } }

t.test('the worst outcome wins', async (t) => {
  t.equal(worst(['passed', 'inapplicable', 'untested']), 'passed')
  t.equal(worst(['passed', 'cantTell']), 'cantTell')
  t.equal(worst(['cantTell', 'failed', 'passed']), 'failed')
  t.equal(worst(['inapplicable', 'untested']), 'untested')
  t.equal(worst([]), null)
})

t.test('a verdict and its exit code', async (t) => {
  const table: [string, Result[], Parameters<typeof verdictOf>[2], string, number][] = [
    ['all passed', [judged(['a', 'passed'])], {}, 'conformant', 0],
    ['a must failed', [judged(['a', 'failed']), judged(['a', 'cantTell'])], {}, 'nonconformant', 1],
    ['a should failed', [judged(['b', 'failed'], ['a', 'passed'])], {}, 'conformant', 0],
    ['a should failed, strictly', [judged(['b', 'failed'])], { strict: true }, 'nonconformant', 1],
    ['an unknown rule failed', [judged(['new', 'failed'])], {}, 'nonconformant', 1],
    ['a waived failure', [waived, judged(['a', 'passed'])], {}, 'conformant', 0],
    ['a waived failure alone was executed', [waived], {}, 'conformant', 0],
    ['a must is inconclusive', [judged(['a', 'cantTell']), judged(['a', 'passed'])], {}, 'inconclusive', 3],
    ['a should is inconclusive', [judged(['b', 'cantTell'])], {}, 'conformant', 0],
    ['a should is inconclusive, strictly', [judged(['b', 'cantTell'])], { strict: true }, 'inconclusive', 3],
    [
      'a failed must with a doubtful should',
      [judged(['b', 'cantTell'], ['a', 'failed'])],
      {},
      'nonconformant',
      1,
    ],
    ['stopped early', [judged(['a', 'passed']), judged()], {}, 'inconclusive', 3],
    ['nothing planned', [], {}, 'inconclusive', 3],
    ['nothing applies', [judged(['a', 'inapplicable'])], {}, 'inconclusive', 3],
    ['an empty shard', [], { sharded: true }, 'inconclusive', 0],
    ['a shard that stopped', [judged()], { sharded: true }, 'inconclusive', 3],
    ['no judgement, but cantTell', [{ ...judged(), outcome: 'cantTell' }], {}, 'inconclusive', 3],
  ]
  for (const [name, results, options, verdict, exitCode] of table) {
    t.strictSame(verdictOf(results, rules, options), { verdict, exitCode }, name)
  }
})
