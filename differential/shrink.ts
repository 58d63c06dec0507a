import type { Experiment } from './experiment.js'
import type { Part } from './parts.js'
import type { Probe } from './probe.js'
import { simplerThan } from './simpler.js'

/** A probe on which the sides differ, and how. */
export interface Shown {
  readonly probe: Probe
  readonly part: Part
}

export interface Smallest extends Shown {
  /** Smaller ones that were asked for. */
  readonly tried: number
  /** The budget of failed logins ended the search. */
  readonly limited: boolean
}

/** For one difference. Most are asked for already for another. */
const MAX_TRIED = 300

/** The smallest probe on which the sides differ in the same way. */
export async function shrink(experiment: Experiment, shown: Shown): Promise<Smallest> {
  let smallest = shown
  let tried = 0
  let limited = false
  search: while (tried < MAX_TRIED) {
    for (const simpler of simplerThan(smallest.probe, smallest.part.step)) {
      if (tried++ >= MAX_TRIED) break search
      const compared = await experiment.show(simpler.probe)
      limited ||= compared.kind === 'spent'
      if (compared.kind !== 'compared') continue
      const same = compared.parts.find(
        (part) => part.step === simpler.at && part.signature === shown.part.signature,
      )
      if (same === undefined) continue
      smallest = { probe: simpler.probe, part: same }
      continue search
    }
    break
  }
  return { ...smallest, tried, limited }
}
