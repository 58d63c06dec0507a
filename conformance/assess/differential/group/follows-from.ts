import type { Step } from '../../../../spec/model/case.js'
import type { Experiment } from '../../../drivers/pair/experiment.js'
import { type Probe, withSteps } from '../../../drivers/pair/probe.js'
import { compareViews } from '../compare/compare.js'
import { OTHER } from '../compare/kind-of-change.js'
import { restorations } from '../shrink/places.js'
import { isSubset, lenientSide, type Shown, sentencesOf, strictSide, viewOf } from '../shrink/reasons.js'
import { haveOneCause, isRegistration, kindOf, places, reasonsOf, stepsOf } from './same-cause.js'

/** The cause that a difference follows from, if it does. The one that was changed alike goes first. */
export async function causeAmong<C extends { readonly smallest: Shown }>(
  experiment: Experiment,
  shown: Shown,
  causes: readonly C[],
): Promise<C | undefined> {
  const isAlike = ({ smallest }: C): boolean => {
    const [place = ''] = places(smallest)
    const kind = kindOf(smallest, place)
    return kind !== OTHER && places(shown).includes(place) && kindOf(shown, place) === kind
  }
  for (const cause of causes.toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a))))
    if (await followsFrom(experiment, shown, cause.smallest)) return cause
  return await causeOfMessages(experiment, shown, causes)
}

/**
 * Where all that one side says in addition is what it says of other requests that it alone refuses: it says so for the same
 * reasons.
 */
async function causeOfMessages<C extends { readonly smallest: Shown }>(
  experiment: Experiment,
  shown: Shown,
  causes: readonly C[],
): Promise<C | undefined> {
  const { about, step } = shown.part
  const own = places(shown)
  const isPassword = own.join() === 'password' && isRegistration(shown)
  // No message explains another status.
  const isOfWords = about === 'refusal' && !shown.part.differences.some(({ at }) => at === 'status')
  if (!isOfWords && !(about === 'fate' && isPassword)) return undefined
  const compared = await experiment.show(shown.probe)
  for (const strict of ['old', 'new'] as const) {
    const less = sentencesOf(compared, strict === 'old' ? 'new' : 'old', step)
    const added = sentencesOf(compared, strict, step).filter((text) => !less.includes(text))
    const known: string[] = []
    const among: C[] = []
    for (const cause of causes) {
      const { smallest } = cause
      const [place, ...more] = places(smallest)
      if (place === undefined || more.length > 0 || strictSide(smallest) !== strict) continue
      if (!own.includes(place) && !own.includes('repeated parameters')) continue
      const reasons = await reasonsOf(experiment, smallest)
      if (!reasons.some((text) => added.includes(text))) continue
      // One that has further reasons is no part of it.
      if (about === 'fate' && !isSubset(reasons, added)) continue
      known.push(...reasons)
      among.push(cause)
    }
    if (added.length > 0 && isSubset(added, known)) return among[0]
  }
  return undefined
}

/**
 * Whether a difference follows from another one, which is about one place. Where the side that lets it in answers the same to
 * the request with the plain thing there, and the sides do not differ on that, it does not look at the place.
 */
async function followsFrom(experiment: Experiment, shown: Shown, cause: Shown): Promise<boolean> {
  const [place, ...more] = places(cause)
  if (place === undefined) return isRefusedLikeAll(experiment, shown, cause)
  if (more.length > 0) return false
  const own = places(shown)
  // With the plain thing in its one place every request is let in.
  if (shown.part.about === 'fate' && own.join() === place && isRegistration(shown) === isRegistration(cause))
    return haveOneCause(experiment, cause, shown)
  // Repeated, it is one of several values.
  if (!own.includes(place) && !own.includes('repeated parameters')) return false
  const step = stepsOf(shown)[shown.part.step]
  for (const plain of step === undefined ? [] : restorations(step, place))
    if (await isIgnored(experiment, shown, cause, plain)) return true
  return false
}

/** Where one side refuses the plain request as well: whatever it is asked. */
async function isRefusedLikeAll(experiment: Experiment, shown: Shown, cause: Shown): Promise<boolean> {
  if (stepsOf(cause).length > 1) return false
  const strict = strictSide(cause)
  const [own, plain] = [await experiment.show(shown.probe), await experiment.show(cause.probe)]
  const [a, b] = [viewOf(own, strict, shown.part.step), viewOf(plain, strict, 0)]
  return a !== undefined && b !== undefined && compareViews(a, b).length === 0
}

async function isIgnored(
  experiment: Experiment,
  { probe, part }: Shown,
  cause: Shown,
  plain: Step,
): Promise<boolean> {
  const { steps } = probe.testCase
  const smaller: Probe = withSteps(
    probe,
    steps.map((own, at) => (at === part.step ? plain : own)),
  )
  const [whole, without] = [await experiment.show(probe), await experiment.show(smaller)]
  if (without.kind !== 'compared') return false
  if (without.parts.some(({ step, signature }) => step === part.step && signature === part.signature))
    return false
  const side = lenientSide(cause)
  const [a, b] = [viewOf(whole, side, part.step), viewOf(without, side, part.step)]
  return a !== undefined && b !== undefined && compareViews(a, b).length === 0
}
