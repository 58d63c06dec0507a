import t from 'tap'
import type { Planned } from '../../../conformance/plan/plan.js'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { createLiveRun } from './live-run.js'
import { estimateRequests } from './requests-left.js'

const exchange = {
  label: 'request',
  request: { method: 'POST', url: 'http://a/Token', headers: [] },
  response: null,
  durationMs: 1,
} as const
const result = (id: string, judgements: readonly Judgement[]): Result => ({
  id,
  case: id,
  deployment: 'default',
  title: id,
  outcome: judgements[0]?.outcome ?? 'passed',
  durationMs: 1,
  judgements,
  exchanges: [exchange],
})
const RULES = [
  { id: 'a', section: '1', level: 'must', statement: 'A.' },
  { id: 'b', section: '1', level: 'should', statement: 'B.' },
] as const

t.test('while a run of all goes, a rule is not applicable only once nothing else can come', async (t) => {
  let isOpen = true
  const live = createLiveRun(RULES, () => isOpen)
  live.add(result('x', [{ rule: 'a', outcome: 'inapplicable' }]))
  t.equal(live.stateOf('a'), 'unjudged')
  live.add(result('y', [{ rule: 'a', outcome: 'passed' }]))
  live.add(result('z', [{ rule: 'b', outcome: 'inapplicable' }]))
  t.strictSame([live.stateOf('a'), live.stateOf('b')], ['passed', 'unjudged'])
  isOpen = false
  t.strictSame([live.stateOf('a'), live.stateOf('b')], ['passed', 'inapplicable'])
})

t.test('each rule is as bad as its newest judgements', async (t) => {
  const live = createLiveRun(RULES)
  t.equal(live.stateOf('a'), 'unjudged')
  t.strictSame(live.add(result('x', [{ rule: 'a', outcome: 'passed' }])), ['a'])
  t.equal(live.stateOf('a'), 'passed')
  live.add(result('y', [{ rule: 'a', outcome: 'failed', exchanges: [0] }]))
  live.add(result('z', [{ rule: 'b', outcome: 'failed' }]))
  t.strictSame([live.stateOf('a'), live.stateOf('b')], ['failed', 'warning'])
  t.strictSame([live.broken(), live.failed()], [['a'], ['y', 'z']])
  t.match(live.ruleOf('a'), { outcome: 'failed', results: ['x', 'y'] })

  t.strictSame(live.add(result('y', [{ rule: 'a', outcome: 'passed', exchanges: [0] }])), ['a'])
  t.strictSame(
    [live.stateOf('a'), live.broken(), live.failed()],
    ['passed', [], ['z']],
    'run again, and fixed',
  )
  t.strictSame(live.result('y')?.exchanges, [], 'what passed keeps no exchanges')
  t.strictSame(
    live.occurrencesOf('a').map(({ judgement }) => judgement.exchanges),
    [undefined, undefined],
  )
  t.equal(live.result('z')?.exchanges.length, 1)
  live.add(result('z', [{ rule: 'b', outcome: 'failed', advisory: true }]))
  t.equal(live.stateOf('b'), 'advisory')
  live.clear()
  t.strictSame([live.stateOf('a'), live.failed()], ['unjudged', []])
})

t.test('time left is counted in requests, not in cases', async (t) => {
  const item = (id: string, more: object, runsShare = 1): Planned =>
    ({
      id,
      index: 0,
      case: { id, steps: [{ send: {} }], ...more },
      deployment: { runsShare },
    }) as unknown as Planned
  // 1 + 2 controls, 100, 50 of a deployment that gets half, 3 rounds, and nothing.
  const items = [
    item('one', { control: 'x' }),
    item('many', { forall: { grant: 'g' } }),
    item('half', { forall: { grant: 'g' } }, 0.5),
    item('rounds', { rounds: 3 }),
    { ...item('not', { forall: { grant: 'g' } }), not: { outcome: 'inapplicable', reason: '' } } as const,
  ]
  const requests = estimateRequests(items, 100)
  t.equal(requests.msLeft(19, 1000), undefined, 'too early')
  t.equal(requests.msLeft(78, 780), 780, 'half of 156')
  requests.finished({ ...result('many', []), runs: 10 })
  t.equal(requests.msLeft(33, 330), 330, 'a case that stopped early sends no more: half of 66')
  requests.finished({ ...result('rounds', []), exchanges: [exchange, exchange, exchange, exchange] })
  t.equal(requests.msLeft(67, 670), 0)
  t.equal(requests.msLeft(90, 900), 0, 'never less than nothing')
  requests.finished(result('unknown', []))
})
