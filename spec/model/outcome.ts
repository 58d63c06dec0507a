import type { Outcome } from '../generated/types/report.js'

export type { Outcome, Verdict } from '../generated/types/report.js'

/** The outcomes, worst first: of several, the one nearest to the front is the outcome of the whole. */
export const outcomesWorstFirst = [
  'failed',
  'cantTell',
  'passed',
  'untested',
  'inapplicable',
] as const satisfies readonly Outcome[]

/**
 * The worst of several outcomes, or `null` of none.
 *
 * A failure outranks an inconclusive outcome, and that outranks success: what could not be judged must not look green.
 * Success outranks the two ways of not having judged, so that one judged deployment is enough to say something.
 */
export function worst(outcomes: Iterable<Outcome>): Outcome | null {
  const present = new Set(outcomes)
  return outcomesWorstFirst.find((outcome) => present.has(outcome)) ?? null
}
