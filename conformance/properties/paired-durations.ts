/** Two durations in milliseconds that were measured one right after the other, in random order. */
export interface DurationPair {
  readonly one: number
  readonly other: number
}

/** How many services without a difference are found to have one. */
export const ERROR_RATE = 1e-6
/** How many services with a difference are found to have none. */
const MISS_RATE = 1e-3
/** A smaller difference is no finding: over a network it is not seen. */
export const MIN_DIFFERENCE_MS = 5
export const MIN_PAIRS = 30
const MAX_PAIRS = 400
const PAIRS_BETWEEN_LOOKS = 10
const LOOKS = (MAX_PAIRS - MIN_PAIRS) / PAIRS_BETWEEN_LOOKS + 1
/** Of all pairs together, where more than `MIN_PAIRS` are needed. */
const MAX_DURATION_MS = 20_000

/** What the pairs show; `open`: more of them may show more. */
export type DurationComparison =
  | 'one takes longer'
  | 'other takes longer'
  | 'no difference'
  | 'open'
  | 'undecided'

/**
 * A sign test, every ten pairs, each time at a part of the error rates: whether the median of the differences is more than
 * the smallest difference, or less. If it is no more, at most half of the pairs differ by more, however the machine is
 * loaded: the order is random, and noise meets both alike. Where neither is shown by 400 pairs or 20 s, nothing is decided.
 * @param mostPairs how many the budget allows
 */
export function compareDurations(pairs: readonly DurationPair[], mostPairs = MAX_PAIRS): DurationComparison {
  const { length } = pairs
  if (length < MIN_PAIRS || length % PAIRS_BETWEEN_LOOKS !== 0) return 'open'
  const differences = differencesOf(pairs)
  const shows = (within: (difference: number) => boolean, rate: number): boolean =>
    binomialTail(length, differences.filter(within).length) <= rate / (2 * LOOKS)
  if (shows((difference) => difference > MIN_DIFFERENCE_MS, ERROR_RATE)) return 'one takes longer'
  if (shows((difference) => difference < -MIN_DIFFERENCE_MS, ERROR_RATE)) return 'other takes longer'
  const isClose =
    shows((difference) => difference < MIN_DIFFERENCE_MS, MISS_RATE) &&
    shows((difference) => difference > -MIN_DIFFERENCE_MS, MISS_RATE)
  if (isClose) return 'no difference'
  const tookMs = pairs.reduce((sum, { one, other }) => sum + one + other, 0)
  const isLast = length + PAIRS_BETWEEN_LOOKS > Math.min(mostPairs, MAX_PAIRS) || tookMs >= MAX_DURATION_MS
  return isLast ? 'undecided' : 'open'
}

/** Between these milliseconds lies the median of the differences, but for one in a thousand runs. */
export function medianInterval(pairs: readonly DurationPair[]): readonly [from: number, to: number] {
  const sorted = differencesOf(pairs).sort((a, b) => a - b)
  let cut = 0
  while (binomialTail(sorted.length, sorted.length - cut - 1) <= MISS_RATE / 2) cut++
  return [sorted[cut] ?? 0, sorted.at(-1 - cut) ?? 0]
}

function differencesOf(pairs: readonly DurationPair[]): number[] {
  return pairs.map(({ one, other }) => one - other)
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
