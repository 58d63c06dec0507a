import t from 'tap'
import { renderTrace } from './trace.js'

const sent = { deployment: 'default', case: '4.1/password-grant', step: 'request', outcome: '200' }

t.test('a row for each request in flight, by deployment, from the first request on', async (t) => {
  const text = renderTrace([
    { ...sent, startedAt: 1_000_050, durationMs: 100 },
    { ...sent, startedAt: 1_000_000, durationMs: 100 },
    { ...sent, startedAt: 1_000_100, durationMs: 10.5, step: 'control' },
    { ...sent, startedAt: 1_000_100, durationMs: 10, deployment: 'other' },
  ])
  const { traceEvents } = JSON.parse(text)
  const rows = traceEvents.map(({ ph, pid, tid, ts, dur }: Record<string, unknown>) => [
    ph,
    pid,
    tid,
    ts,
    dur,
  ])
  t.strictSame(rows, [
    ['M', 1, 0, undefined, undefined],
    ['M', 2, 0, undefined, undefined],
    ['X', 1, 1, 0, 100_000],
    ['X', 1, 2, 50_000, 100_000],
    ['X', 1, 1, 100_000, 10_500],
    ['X', 2, 1, 100_000, 10_000],
  ])
  t.match(traceEvents[4], { name: '4.1/password-grant', args: { step: 'control', outcome: '200' } })
})

t.test('a run of nothing is a trace of nothing', async (t) => {
  t.strictSame(JSON.parse(renderTrace([])), { displayTimeUnit: 'ms', traceEvents: [] })
})
