import t from 'tap'
import type { RunOptions } from '../../../conformance/assess/assess-target.js'
import type { Outcome, Result } from '../../../spec/model/report.js'
import { countProgress } from './run-progress.js'

type OnPlan = NonNullable<RunOptions['onPlan']>

/** A run of four cases, one of which does not apply and one of which was not chosen, and 1200 requests at two places. */
function start(eachMs = 10) {
  let now = 0
  const progress = countProgress(
    () => undefined,
    () => now,
  )
  const items = [{}, {}, { not: { outcome: 'inapplicable' } }, { not: { outcome: 'untested' } }]
  const loads = [{ requests: 1000 }, { requests: 200 }]
  const plan = { items } as unknown as Parameters<OnPlan>[0]
  progress.hooks.onPlan?.(plan, {} as Parameters<OnPlan>[1], loads as unknown as Parameters<OnPlan>[2])
  const send = (times: number): void => {
    for (let sent = 0; sent < times; sent += 1) {
      now += eachMs
      progress.hooks.onRequest?.()
    }
  }
  return { progress, send, add: (outcome: Outcome) => progress.addResult({ outcome } as Result) }
}

t.test('each case that the report will count is planned, and done once it has a result', async (t) => {
  const { progress, add } = start()
  t.match(progress.figures(), { planned: 3, finished: 0, inapplicable: 0 })
  add('inapplicable')
  t.match(progress.figures(), { planned: 3, finished: 1, inapplicable: 1 })
  add('failed')
  add('untested')
  t.match(progress.figures(), { planned: 3, finished: 3, inapplicable: 1, failures: 1 })
})

t.test('time left is that of the requests that are left, and unknown where they say nothing', async (t) => {
  const { progress, send } = start()
  const shown = () => {
    const { msLeft, foretold } = progress.figures()
    return { msLeft: msLeft === undefined ? undefined : Math.round(msLeft), foretold }
  }
  send(189)
  t.strictSame(shown(), { msLeft: undefined, foretold: undefined }, 'too early')
  progress.hooks.onLogin?.(104)
  send(211)
  t.strictSame(
    shown(),
    { msLeft: 5600, foretold: undefined },
    'four fifths of 1200 but for 400, at 10 ms each',
  )
  send(700)
  t.equal(shown().msLeft, 200, 'a fifth of the last 100')
  send(100)
  t.equal(shown().msLeft, undefined, 'a broken rule takes more requests than were planned')
})

t.test('a long run is foretold once', async (t) => {
  const { progress, send } = start(100)
  progress.hooks.onLogin?.(104)
  send(55)
  // 5.5 s until then, and 905 of four fifths of 1200 at 100 ms each.
  t.equal(progress.figures().foretold, 'a login takes 104 ms: about 1 min 40 s')
  progress.hooks.onLogin?.(600)
  send(500)
  t.equal(progress.figures().foretold, 'a login takes 104 ms: about 1 min 40 s')
})
