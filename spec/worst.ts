import type { Outcome } from './types.js'

/** The outcomes, worst first: of several, the one that stands nearest to the front is the outcome of the whole. */
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
 * A failure outranks a doubt, and a doubt outranks success: what could not be told must not look green.
 * Success outranks the two ways of not having judged, so that one judged deployment is enough to say something.
 */
export function worst(outcomes: Iterable<Outcome>): Outcome | null {
  const present = new Set(outcomes)
  return outcomesWorstFirst.find((outcome) => present.has(outcome)) ?? null
}
