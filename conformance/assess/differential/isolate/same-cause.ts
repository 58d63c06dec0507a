import { withSteps } from '../../../drivers/pair/probe.js'
import { compareAnswers } from '../compare/compare-answers.js'
import type { Comparer } from '../compare/comparer.js'
import type { Witness } from '../compare/explore.js'
import { plainValue, valueAt, withValue } from './request-places.js'
import { placesOf } from './request-traits.js'
import { kindOfChange, OTHER } from './text-changes.js'
import { answerOf, isRegistration, isSubset, lenientSide, reasonsOf, stepOf } from './witness.js'

/** Not one text: what a parser, or a list of methods, makes of all of them is one decision. */
const OF_THE_PARSER = /^(?:method|repeated parameters|names of parameters .*|parameters in the query)$/
/** A service that accepts a value unlike any right one accepts every value. */
const ARBITRARY = new Set(['x', 'x/x'])

/**
 * Whether two requests that one side accepts and the other refuses have one cause. They must differ from the plain request in
 * the same place, and an experiment must show that the service makes the same decision on both:
 * - any value is accepted there; or
 * - the changes are not of two kinds that a service decides on separately, and both changes at once are accepted too; or
 * - the refusals are equal.
 */
export async function haveSameCause(comparer: Comparer, a: Witness, b: Witness): Promise<boolean> {
  const own = placesIn(a)
  const [place] = own
  if (place === undefined || own.join() !== placesIn(b).join()) return false
  if (own.every((one) => OF_THE_PARSER.test(one))) return true
  if (own.length > 1) return false
  const before = valueIn(a, place)
  if (before !== undefined && ARBITRARY.has(before)) return true
  if (!isRegistration(a) && place !== 'path') {
    const [kind, other] = [changeIn(a, place), changeIn(b, place)]
    if (kind !== other && (kind !== OTHER || other !== OTHER)) return false
  }
  if (lenientSide(a) === 'old') return haveEqualRefusals(comparer, a, b)
  if (isRegistration(a) && place === 'password') return haveSameReasons(comparer, a, b)
  const both = withBothChanges(a, b, place)
  if (both === undefined) return false
  const compared = await comparer.compareOnce(both.probe)
  return (
    compared.kind === 'compared' &&
    compared.discrepancies.some(
      ({ step, signature }) => step === both.discrepancy.step && signature === b.discrepancy.signature,
    )
  )
}

/** The places in which the request differs from the plain one. */
export function placesIn({ probe, discrepancy }: Witness): readonly string[] {
  return placesOf(probe.testCase.steps, discrepancy.step)
}

/** How the text in a place was changed. */
export function changeIn(witness: Witness, place: string): string {
  const step = stepOf(witness)
  const value = valueIn(witness, place)
  const plain = step && plainValue(step, place)
  return value === undefined || plain === undefined ? OTHER : kindOfChange(value, plain, place)
}

function valueIn(witness: Witness, place: string): string | undefined {
  const step = stepOf(witness)
  return step && valueAt(step, place)
}

/** A password may break several rules at once: the refusal says which. */
async function haveSameReasons(comparer: Comparer, a: Witness, b: Witness): Promise<boolean> {
  const [one, other] = [await reasonsOf(comparer, a), await reasonsOf(comparer, b)]
  return isSubset(one, other) && isSubset(other, one)
}

async function haveEqualRefusals(comparer: Comparer, a: Witness, b: Witness): Promise<boolean> {
  const [first, second] = [await answerOf(comparer, a, 'new'), await answerOf(comparer, b, 'new')]
  return first !== undefined && second !== undefined && compareAnswers(first, second).length === 0
}

/** Both changes of one text, where one of them adds something before or after the plain text. */
function withBothChanges(a: Witness, b: Witness, place: string): Witness | undefined {
  const [inner, outer] = a.probe.testCase.forall === undefined ? [b, a] : [a, b]
  const [step, outerStep] = [stepOf(inner), stepOf(outer)]
  if (outer.probe.testCase.forall !== undefined || step === undefined || outerStep === undefined)
    return undefined
  const [text, value] = [valueAt(step, place), valueAt(outerStep, place)]
  const plain = plainValue(outerStep, place)
  if (text === undefined || plain === undefined || !value?.includes(plain)) return undefined
  const { probe, discrepancy } = inner
  const changed = withValue(
    step,
    place,
    value.replace(plain, () => text),
  )
  return { probe: withSteps(probe, probe.testCase.steps.with(discrepancy.step, changed)), discrepancy }
}
