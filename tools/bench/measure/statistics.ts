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
 * that what else the machine does in that moment is above and below the line.
 */
export function ratioOfPairs(values: readonly number[], against: readonly number[]): number {
  return median(values.map((value, index) => value / (against[index] ?? Number.NaN)))
}

export interface Rounds<Name extends string> {
  readonly rounds: number
  /** Those that take so long that fewer rounds must do: they have the first ones. */
  readonly fewer?: Readonly<Partial<Record<Name, number>>>
}

/**
 * Measures each subject once a round, in an order that turns, so that none always comes first or after the same one. What
 * has more than one round has one before, which warms the machine's caches and is forgotten.
 */
export async function interleave<Name extends string, Figure>(
  subjects: Readonly<Record<Name, () => Promise<Figure>>>,
  { rounds, fewer }: Rounds<Name>,
): Promise<Readonly<Record<Name, readonly Figure[]>>> {
  // The keys of a record by names are those names.
  const names = Object.keys(subjects) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figure[]>
  const roundsOf = (name: Name): number => Math.min(rounds, fewer?.[name] ?? rounds)
  for (const name of names) if (roundsOf(name) > 1) await subjects[name]()
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + round) % names.length]
      if (name !== undefined && round < roundsOf(name)) figures[name].push(await subjects[name]())
    }
  }
  return figures
}
