import type { Experiment } from '../../../drivers/pair/experiment.js'
import { withSteps } from '../../../drivers/pair/probe.js'
import { compareViews } from '../compare/compare.js'
import { kindOfChange, OTHER } from '../compare/kind-of-change.js'
import { placesOf, plainValue, valueAt, withValue } from '../shrink/places.js'
import { isSubset, lenientSide, type Shown, sentencesOf, strictSide, viewOf } from '../shrink/reasons.js'

export const stepsOf = ({ probe }: Shown) => probe.testCase.steps
export const isRegistration = (shown: Shown): boolean =>
  stepsOf(shown)[shown.part.step]?.register !== undefined
export const places = (shown: Shown): readonly string[] => placesOf(stepsOf(shown), shown.part.step)

/** Not one text: what a parser, or a list of methods, makes of them is one decision. */
const OF_THE_PARSER = /^(?:method|repeated parameters|names of parameters .*|parameters in the query)$/
/** What has nothing to do with the right value: a service that takes it takes everything. */
const ARBITRARY = new Set(['x', 'x/x'])

/**
 * Whether two requests, on each of which one side lets in what the other refuses, have one cause: they differ from the plain
 * one in the same place, and an experiment shows that it is the same decision. Any value is let in there, too; or a login was
 * changed in no two ways that a service decides on apart, and both changes at once are let in as well; or the refusals say
 * the same.
 */
export async function haveOneCause(experiment: Experiment, a: Shown, b: Shown): Promise<boolean> {
  const own = places(a)
  const [place] = own
  if (place === undefined || own.join() !== places(b).join()) return false
  if (own.every((one) => OF_THE_PARSER.test(one))) return true
  if (own.length > 1) return false
  const [before, after] = [a, b].map((shown) => valueIn(shown, place))
  if (before !== undefined && ARBITRARY.has(before)) return true
  if (!isRegistration(a) && place !== 'path') {
    const [kind, other] = [kindOf(a, place), kindOf(b, place)]
    if (kind !== other && (kind !== OTHER || other !== OTHER)) return false
  }
  if (lenientSide(a) === 'old') return await isRefusedAlike(experiment, a, b)
  if (isRegistration(a) && place === 'password') return await haveTheSameReasons(experiment, a, b)
  const both =
    before === undefined || after === undefined ? undefined : withBothChanges(a, before, b, after, place)
  if (both === undefined) return false
  const compared = await experiment.show(both.probe)
  return (
    compared.kind === 'compared' &&
    compared.parts.some(({ step, signature }) => step === both.part.step && signature === b.part.signature)
  )
}

function valueIn(shown: Shown, place: string): string | undefined {
  const step = stepsOf(shown)[shown.part.step]
  return step && valueAt(step, place)
}

export function kindOf(shown: Shown, place: string): string {
  const step = stepsOf(shown)[shown.part.step]
  const value = valueIn(shown, place)
  const plain = step && plainValue(step, place)
  return value === undefined || plain === undefined ? OTHER : kindOfChange(value, plain, place)
}

/** Passwords break several rules at once: what the side that refuses says of them tells which. */
async function haveTheSameReasons(experiment: Experiment, a: Shown, b: Shown): Promise<boolean> {
  const [one, other] = [await reasonsOf(experiment, a), await reasonsOf(experiment, b)]
  return isSubset(one, other) && isSubset(other, one)
}

export async function reasonsOf(experiment: Experiment, shown: Shown): Promise<readonly string[]> {
  return sentencesOf(await experiment.show(shown.probe), strictSide(shown), shown.part.step)
}

/** Both changes of one text, where one of them says what comes before or after the plain one. */
function withBothChanges(
  a: Shown,
  before: string,
  b: Shown,
  after: string,
  place: string,
): Shown | undefined {
  const [inner, outer, value] = a.probe.testCase.forall === undefined ? [b, a, before] : [a, b, after]
  const other = inner === a ? before : after
  if (outer.probe.testCase.forall !== undefined) return undefined
  const step = stepsOf(inner)[inner.part.step]
  const outerStep = stepsOf(outer)[outer.part.step]
  const plain = outerStep && plainValue(outerStep, place)
  if (step === undefined || plain === undefined || !value.includes(plain)) return undefined
  const text = value.replace(plain, () => other)
  const steps = stepsOf(inner).map((own, at) => (at === inner.part.step ? withValue(own, place, text) : own))
  return { probe: withSteps(inner.probe, steps), part: inner.part }
}

async function isRefusedAlike(experiment: Experiment, a: Shown, b: Shown): Promise<boolean> {
  const [one, other] = [await experiment.show(a.probe), await experiment.show(b.probe)]
  const [first, second] = [viewOf(one, 'new', a.part.step), viewOf(other, 'new', b.part.step)]
  return first !== undefined && second !== undefined && compareViews(first, second).length === 0
}
