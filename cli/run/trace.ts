import type { TimedExchange } from '../../conformance/drivers/send/session/run-context.js'

/**
 * The requests of a run in the Chrome trace format, which Perfetto and `chrome://tracing` open: a process for each
 * deployment, and a row for each request that is in flight at a time. It holds ids and times, and nothing that was sent.
 */
export function renderTrace(exchanges: readonly TimedExchange[]): string {
  const sorted = exchanges.toSorted((a, b) => a.startedAt - b.startedAt)
  const begin = sorted[0]?.startedAt ?? 0
  const rows = new Map<string, number[]>()
  const traceEvents = sorted.map(({ deployment, case: id, step, startedAt, durationMs, outcome }) => {
    const ends = rows.get(deployment) ?? []
    rows.set(deployment, ends)
    const free = ends.findIndex((end) => end <= startedAt)
    const row = free === -1 ? ends.length : free
    ends[row] = startedAt + durationMs
    return {
      ...{ name: id, cat: step, ph: 'X', pid: [...rows.keys()].indexOf(deployment) + 1, tid: row + 1 },
      ts: Math.round((startedAt - begin) * 1000),
      dur: Math.round(durationMs * 1000),
      args: { step, outcome },
    }
  })
  const names = [...rows.keys()].map((name, index) => ({
    ...{ name: 'process_name', ph: 'M', pid: index + 1, tid: 0, args: { name } },
  }))
  return `${JSON.stringify({ displayTimeUnit: 'ms', traceEvents: [...names, ...traceEvents] })}\n`
}
