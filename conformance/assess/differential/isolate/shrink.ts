import type { Comparer } from '../compare/comparer.js'
import type { Witness } from '../compare/explore.js'
import { smallerThan } from './smaller-probes.js'
import { isSubset, reasonsOf, stepOf } from './witness.js'

export interface SmallestWitness extends Witness {
  /** The budget of failed logins ended the search. */
  readonly limited: boolean
}

/** Probes that are tried for one discrepancy. Most were sent before, for another one. */
const MAX_TRIED = 300

/** The smallest probe on which the sides differ in the same way. */
export async function shrink(comparer: Comparer, witness: Witness): Promise<SmallestWitness> {
  let smallest = witness
  let tried = 0
  let limited = false
  search: while (tried < MAX_TRIED) {
    for (const { probe, at } of smallerThan(smallest.probe, smallest.discrepancy.step)) {
      if (tried++ >= MAX_TRIED) break search
      const compared = await comparer.compareOnce(probe)
      limited ||= compared.kind === 'spent'
      if (compared.kind !== 'compared') continue
      const same = compared.discrepancies.find(
        ({ step, signature }) => step === at && signature === witness.discrepancy.signature,
      )
      if (same === undefined) continue
      const next = { probe, discrepancy: same }
      if (!(await hasNoFurtherReason(comparer, smallest, next))) continue
      smallest = next
      continue search
    }
    break
  }
  return { ...smallest, limited }
}

/**
 * A smaller password may break several rules where the larger one breaks one: the refusal of it must not name further
 * reasons, unless nothing is right in the password.
 */
async function hasNoFurtherReason(comparer: Comparer, before: Witness, after: Witness): Promise<boolean> {
  const password = stepOf(after)?.register?.password
  if (before.discrepancy.about !== 'fate' || password === undefined || password === 'x') return true
  return isSubset(await reasonsOf(comparer, after), await reasonsOf(comparer, before))
}
