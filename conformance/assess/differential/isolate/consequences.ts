import type { Step } from '../../../../spec/model/case.js'
import { withSteps } from '../../../drivers/pair/probe.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import { compareAnswers } from '../compare/compare-answers.js'
import type { Comparer } from '../compare/comparer.js'
import type { Witness } from '../compare/explore.js'
import { restorations } from './request-places.js'
import { changeIn, haveSameCause, placesIn } from './same-cause.js'
import { OTHER } from './text-changes.js'
import {
  answerOf,
  isRegistration,
  isSubset,
  lenientSide,
  reasonsOf,
  sentencesOf,
  stepOf,
  strictSide,
  viewAt,
} from './witness.js'

/** A cause that is known already. */
interface KnownCause {
  readonly smallest: Witness
}

/** The known cause that a discrepancy follows from, if there is one. Causes with the same kind of change are tried first. */
export async function causeAmong<C extends KnownCause>(
  comparer: Comparer,
  witness: Witness,
  causes: readonly C[],
): Promise<C | undefined> {
  const places = placesIn(witness)
  const isAlike = ({ smallest }: C): boolean => {
    const [place = ''] = placesIn(smallest)
    const change = changeIn(smallest, place)
    return change !== OTHER && places.includes(place) && changeIn(witness, place) === change
  }
  for (const cause of causes.toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a))))
    if (await followsFrom(comparer, witness, cause.smallest)) return cause
  return causeOfMessages(comparer, witness, causes)
}

/** Where all that one side says in addition is what it says of other requests that it alone refuses. */
async function causeOfMessages<C extends KnownCause>(
  comparer: Comparer,
  witness: Witness,
  causes: readonly C[],
): Promise<C | undefined> {
  const { about, step, differences } = witness.discrepancy
  const places = placesIn(witness)
  const isPassword = about === 'fate' && places.join() === 'password' && isRegistration(witness)
  // No message explains another status.
  const isOfWords = about === 'refusal' && !differences.some(({ at }) => at === 'status')
  if (!isOfWords && !isPassword) return undefined
  const compared = await comparer.compareOnce(witness.probe)
  for (const strict of ['old', 'new'] as const) {
    const less = sentencesOf(compared, strict === 'old' ? 'new' : 'old', step)
    const added = sentencesOf(compared, strict, step).filter((text) => !less.includes(text))
    const explained: string[] = []
    let first: C | undefined
    for (const cause of causes) {
      const [place, ...more] = placesIn(cause.smallest)
      if (place === undefined || more.length > 0 || strictSide(cause.smallest) !== strict) continue
      if (!concernsPlace(places, place)) continue
      const reasons = await reasonsOf(comparer, cause.smallest)
      if (!reasons.some((text) => added.includes(text))) continue
      // A cause with further reasons does not explain a refusal.
      if (about === 'fate' && !isSubset(reasons, added)) continue
      explained.push(...reasons)
      first ??= cause
    }
    if (added.length > 0 && isSubset(added, explained)) return first
  }
  return undefined
}

/** A repeated parameter has several values, of which each may be the one. */
function concernsPlace(places: readonly string[], place: string): boolean {
  return places.includes(place) || places.includes('repeated parameters')
}

/**
 * Whether a discrepancy follows from a cause in one place: with the plain thing there, the lenient side answers the same and
 * the two sides no longer differ. So the lenient side does not look at that place.
 */
async function followsFrom(comparer: Comparer, witness: Witness, cause: Witness): Promise<boolean> {
  const [place, ...more] = placesIn(cause)
  if (place === undefined) return isRefusedLikeAll(comparer, witness, cause)
  if (more.length > 0) return false
  const places = placesIn(witness)
  const { about } = witness.discrepancy
  // With the plain thing in its one place every request is accepted.
  if (about === 'fate' && places.join() === place && isRegistration(witness) === isRegistration(cause))
    return haveSameCause(comparer, cause, witness)
  if (!concernsPlace(places, place)) return false
  const step = stepOf(witness)
  for (const plain of step === undefined ? [] : restorations(step, place))
    if (await isIgnored(comparer, witness, lenientSide(cause), plain)) return true
  return false
}

/** Where one side refuses the plain request too, and answers the same whatever it is asked. */
async function isRefusedLikeAll(comparer: Comparer, witness: Witness, cause: Witness): Promise<boolean> {
  if (cause.probe.testCase.steps.length > 1) return false
  const strict = strictSide(cause)
  const [own, plain] = [await answerOf(comparer, witness, strict), await answerOf(comparer, cause, strict)]
  return own !== undefined && plain !== undefined && compareAnswers(own, plain).length === 0
}

/** Whether the side answers the same to the request with this step in place of its own, on which the sides do not differ. */
async function isIgnored(
  comparer: Comparer,
  witness: Witness,
  side: PairSide,
  plain: Step,
): Promise<boolean> {
  const { probe, discrepancy } = witness
  const { step, signature } = discrepancy
  const whole = await answerOf(comparer, witness, side)
  const smaller = withSteps(probe, probe.testCase.steps.with(step, plain))
  const compared = await comparer.compareOnce(smaller)
  if (compared.kind !== 'compared') return false
  if (compared.discrepancies.some((one) => one.step === step && one.signature === signature)) return false
  const without = viewAt(compared, side, step)
  return whole !== undefined && without !== undefined && compareAnswers(whole, without).length === 0
}
