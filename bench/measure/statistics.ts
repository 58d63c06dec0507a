/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}

/** How far apart the measurements lie: from the least to the greatest, as a share of the middle. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

/**
 * How many times as much the one is as the other: the median over pairs that were measured one right after the other, so
 * that what else the machine does in that moment stands above and below the line.
 */
export function ratioOfPairs(values: readonly number[], against: readonly number[]): number {
  return median(values.map((value, index) => value / (against[index] ?? Number.NaN)))
}
