import t from 'tap'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { createLiveRun } from './live-run.js'

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
  live.begin(false)
  t.strictSame([live.stateOf('a'), live.failed()], ['unjudged', []])
})

t.test('a run of a part leaves nothing green that it does not judge again', async (t) => {
  const live = createLiveRun(RULES)
  live.add(result('x', [{ rule: 'a', outcome: 'failed' }]))
  live.add(result('y', [{ rule: 'a', outcome: 'passed' }]))
  live.add(result('z', [{ rule: 'b', outcome: 'passed' }]))
  live.begin(true)
  t.strictSame([live.stateOf('a'), live.stateOf('b')], ['failed', 'untested'])
  live.add(result('x', [{ rule: 'a', outcome: 'passed' }]))
  t.strictSame([live.stateOf('a'), live.failed()], ['untested', []], 'y may fail by now')
  live.add(result('y', [{ rule: 'a', outcome: 'passed' }]))
  t.strictSame([live.stateOf('a'), live.stateOf('b')], ['passed', 'untested'])
})
