import type { Usage } from '../measure/child.js'
import { median } from '../measure/statistics.js'

export interface Sample extends Pick<Usage, 'rss' | 'heapUsed'> {
  readonly requests: number
}

const MB = 2 ** 20

/** What may be noise: a share of what there was, and a floor, since pages and heap come in pieces. */
const TOLERATED = {
  heapUsed: { share: 0.05, floor: 3 * MB },
  rss: { share: 0.1, floor: 16 * MB },
} as const

/**
 * Where memory grew from the first of the samples to the last, as sentences; empty: it is flat. Medians of the
 * first and the last third are compared, so that no single sample decides.
 */
export function memoryProblems(samples: readonly Sample[]): readonly string[] {
  if (samples.length < 3) return ['there are too few samples of the memory']
  const third = Math.floor(samples.length / 3)
  return (['heapUsed', 'rss'] as const).flatMap((name) => {
    const values = samples.map((sample) => sample[name])
    const [before, after] = [median(values.slice(0, third)), median(values.slice(-third))]
    const { share, floor } = TOLERATED[name]
    if (after - before <= Math.max(before * share, floor)) return []
    return [`${name} grows: ${inMegabytes(before)}, later ${inMegabytes(after)}`]
  })
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`
}
