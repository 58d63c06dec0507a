/** Two durations in milliseconds that were measured one right after the other, in random order. */
export interface DurationPair {
  readonly one: number
  readonly other: number
}

/** Of services without a difference so many are found to have one. */
export const ERROR_RATE = 1e-6
/** A difference of no more milliseconds is no finding: over a network it is not seen. */
export const MIN_DIFFERENCE_MS = 5
/** After so many pairs it is looked whether they are enough. */
export const INTERIM_LOOKS: readonly number[] = [30, 60, 100]

/** What so many pairs show; `open`: more of them may show more. */
export type DurationComparison = 'one takes longer' | 'other takes longer' | 'no difference' | 'open'

/**
 * A sign test, each time at a part of the error rate: in how many pairs the one took longer by more than the smallest
 * difference. If its median is no longer, that is at most a half, however the machine is loaded: the order is random, and
 * noise meets both alike. To give up early, where little speaks for a difference, adds no error.
 */
export function compareDurations(pairs: readonly DurationPair[]): DurationComparison {
  const { length } = pairs
  if (!INTERIM_LOOKS.includes(length)) return 'open'
  const one = pairs.filter((pair) => pair.one - pair.other > MIN_DIFFERENCE_MS).length
  const other = pairs.filter((pair) => pair.other - pair.one > MIN_DIFFERENCE_MS).length
  const rate = ERROR_RATE / (2 * INTERIM_LOOKS.length)
  if (binomialTail(length, one) <= rate) return 'one takes longer'
  if (binomialTail(length, other) <= rate) return 'other takes longer'
  const isHopeless = Math.max(one, other) < 0.65 * length
  return isHopeless || length === INTERIM_LOOKS.at(-1) ? 'no difference' : 'open'
}

/** The probability of at least so many heads in so many throws of a fair coin. */
export function binomialTail(throws: number, heads: number): number {
  let term = 2 ** -throws
  let sum = 0
  // From no tails upwards: the terms are those from no heads, as the coin is fair.
  for (let tails = 0; tails <= throws - heads; tails++) {
    sum += term
    term = (term * (throws - tails)) / (tails + 1)
  }
  return sum
}
