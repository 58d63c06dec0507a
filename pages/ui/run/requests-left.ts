import type { Planned } from '../../../conformance/plan/plan.js'
import type { Result } from '../../../spec/model/report.js'

/** How many requests a run has before it: cases differ by a thousand times, requests hardly. */
export interface RequestEstimate {
  finished(result: Result): void
  /** @param sent so far, in so many milliseconds; undefined where it is too early to say */
  msLeft(sent: number, elapsedMs: number): number | undefined
}

/** Fewer say nothing of how fast a service is. */
const MIN_SENT = 20

/** @param runs inputs for each case that draws them, before a deployment's share */
export function estimateRequests(items: readonly Planned[], runs: number): RequestEstimate {
  const expected = new Map(items.map((item) => [item.id, requestsOf(item, runsOf(item, runs))]))
  const planned = new Map(items.map((item) => [item.id, item]))
  let total = [...expected.values()].reduce((sum, one) => sum + one, 0)
  return {
    finished({ id, runs: tried, exchanges }) {
      const item = planned.get(id)
      if (item === undefined) return
      // A case that stopped at a counterexample, or for a budget, sent less than it might have.
      const spent = tried === undefined ? exchanges.length : requestsOf(item, tried)
      total += spent - (expected.get(id) ?? 0)
      expected.set(id, spent)
    },
    msLeft(sent, elapsedMs) {
      return sent < MIN_SENT ? undefined : (Math.max(0, total - sent) * elapsedMs) / sent
    },
  }
}

function runsOf(
  { case: { forall, inputs = Infinity, steps, rounds = 1 }, deployment }: Planned,
  runs: number,
): number {
  const draws = forall !== undefined || steps.some(({ property }) => property !== undefined)
  return draws ? Math.max(1, Math.min(inputs, Math.round(runs * deployment.runsShare))) : rounds
}

/** The steps, so many times, between the two controls. */
function requestsOf({ case: { steps, control }, not }: Planned, times: number): number {
  if (not !== undefined) return 0
  const once = steps.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0)
  return once * times + (control === undefined ? 0 : 2)
}
