import type { Cost } from './child.js'
import type { Load } from './grant.js'

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}

/**
 * The median ratio of pairs that were measured one right after the other, so that other load on the machine affects
 * both.
 */
export function ratioOfPairs(values: readonly number[], against: readonly number[]): number {
  return median(values.map((value, index) => value / (against[index] ?? Number.NaN)))
}

/** The figures of each subject, round by round. */
export type Figures<Figure> = Readonly<Record<string, readonly Figure[]>>

/** What was measured of each subject, and ratios by the ids of `goals.yaml`; never times. */
export interface Group {
  readonly figures: Figures<Partial<Load & Cost>>
  readonly ratios: Readonly<Record<string, number>>
}

/**
 * Measures each subject once a round, in rotating order. The first round warms the machine's caches and is not counted.
 */
export async function interleave<Figure>(
  subjects: Readonly<Record<string, () => Promise<Figure>>>,
  rounds: number,
): Promise<Figures<Figure>> {
  const all = Object.entries(subjects).map(([name, measure]) => ({ name, measure, figures: [] as Figure[] }))
  for (const { measure } of all) await measure()
  for (let round = 0; round < rounds; round++) {
    const first = round % all.length
    for (const { measure, figures } of [...all.slice(first), ...all.slice(0, first)])
      figures.push(await measure())
  }
  return Object.fromEntries(all.map(({ name, figures }) => [name, figures]))
}
