/** How far two samples lie apart. */
export interface EffectSize {
  /** Cliff's delta: how much likelier a value of the one is the greater than the smaller, from −1 to 1. */
  readonly cliffsDelta: number
  /** What |delta| stays under 95 times in 100 where both samples come from one distribution. */
  readonly deltaByChance: number
  /** Cohen's d: the difference of the means, in pooled standard deviations. */
  readonly cohensD: number
}

/** Of the first sample against the second; each has two values at least. */
export function effectSize(ones: readonly number[], others: readonly number[]): EffectSize {
  const difference = mean(ones) - mean(others)
  const degrees = ones.length + others.length - 2
  const pooled = Math.sqrt((squares(ones) + squares(others)) / degrees)
  return {
    cliffsDelta: cliffsDelta(ones, others),
    // The standard error of Mann and Whitney's U, scaled as delta is.
    deltaByChance: 1.96 * Math.sqrt((ones.length + others.length + 1) / (3 * ones.length * others.length)),
    cohensD: difference === 0 ? 0 : difference / pooled,
  }
}

function cliffsDelta(ones: readonly number[], others: readonly number[]): number {
  let balance = 0
  for (const one of ones) for (const other of others) balance += Math.sign(one - other)
  return balance / (ones.length * others.length)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The sum of squared deviations. */
function squares(values: readonly number[]): number {
  const centre = mean(values)
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
}
