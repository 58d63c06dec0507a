/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}

/** The range of the measurements as a share of their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

/**
 * The median ratio of pairs that were measured one right after the other, so that other load on the machine affects
 * both.
 */
export function ratioOfPairs(values: readonly number[], against: readonly number[]): number {
  return median(values.map((value, index) => value / (against[index] ?? Number.NaN)))
}

/**
 * Measures each subject once a round, in rotating order. The first round warms the machine's caches and is not counted.
 */
export async function interleave<Name extends string, Figure>(
  subjects: Readonly<Record<Name, () => Promise<Figure>>>,
  rounds: number,
): Promise<Readonly<Record<Name, readonly Figure[]>>> {
  // The keys of a record by names are those names.
  const names = Object.keys(subjects) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figure[]>
  for (const name of names) await subjects[name]()
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + round) % names.length]
      if (name !== undefined) figures[name].push(await subjects[name]())
    }
  }
  return figures
}
