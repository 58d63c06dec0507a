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
  const most = (name: Name): number => Math.min(rounds, fewer?.[name] ?? rounds)
  for (const name of names) if (most(name) > 1) await subjects[name]()
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + round) % names.length]
      if (name !== undefined && round < most(name)) figures[name].push(await subjects[name]())
    }
  }
  return figures
}
