import t from 'tap'
import type { RunOptions } from '../../../conformance/assess/assess-target.js'
import type { Outcome, Result } from '../../../spec/model/report.js'
import { countProgress } from './run-progress.js'

type OnPlan = NonNullable<RunOptions['onPlan']>

/** A run of four cases, one of which does not apply and one of which was not chosen, and 120 requests at two places. */
function start() {
  let now = 0
  const progress = countProgress(
    () => undefined,
    () => now,
  )
  const items = [{}, {}, { not: { outcome: 'inapplicable' } }, { not: { outcome: 'untested' } }]
  const loads = [{ requests: 100 }, { requests: 20 }]
  const plan = { items } as unknown as Parameters<OnPlan>[0]
  progress.hooks.onPlan?.(plan, {} as Parameters<OnPlan>[1], loads as unknown as Parameters<OnPlan>[2])
  const send = (times: number): void => {
    for (let sent = 0; sent < times; sent += 1) {
      now += 10
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
  const left = () => progress.figures().msLeft
  send(19)
  t.equal(left(), undefined, 'too early')
  send(21)
  t.equal(left(), 800, '80 of 120 at 10 ms each')
  send(79)
  t.equal(left(), 10)
  send(1)
  t.equal(left(), undefined, 'a broken rule takes more requests than were planned')
})
