import type { Compared, Experiment } from '../../../drivers/pair/experiment.js'
import { isSubset, type Shown, sentencesOf, strictSide } from './reasons.js'
import { simplerThan } from './simpler.js'

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
      const next = { probe: simpler.probe, part: same }
      if (!(await hasNoFurtherReason(experiment, smallest, next, compared))) continue
      smallest = next
      continue search
    }
    break
  }
  return { ...smallest, tried, limited }
}

/**
 * Of a password that breaks one rule, a smaller one would break several: what refuses it must say no more of that one. But for
 * a password that has nothing right.
 */
async function hasNoFurtherReason(
  experiment: Experiment,
  before: Shown,
  after: Shown,
  compared: Compared,
): Promise<boolean> {
  const password = after.probe.testCase.steps[after.part.step]?.register?.password
  if (before.part.about !== 'fate' || password === undefined || password === 'x') return true
  const strict = strictSide(before)
  const [less, more] = [
    sentencesOf(compared, strict, after.part.step),
    sentencesOf(await experiment.show(before.probe), strict, before.part.step),
  ]
  return isSubset(less, more)
}
