import type { Step } from '../spec/model/case.js'
import { compareViews } from './compare.js'
import type { Compared, Experiment } from './experiment.js'
import type { Seen } from './normalise.js'
import { placesOf, plainValue, restorations, valueAt, withValue } from './places.js'
import { type Probe, withSteps } from './probe.js'
import type { Shown } from './shrink.js'
import { type View, viewsOf } from './view.js'

type Own = 'old' | 'new'

/** Which side lets in what the other refuses. */
function lenientSide({ part }: Shown): Own {
  return part.differences.some(({ at, new: now }) => at === 'fate' && now === 'refused') ? 'old' : 'new'
}

function strictSide(shown: Shown): Own {
  return lenientSide(shown) === 'old' ? 'new' : 'old'
}

const stepsOf = ({ probe }: Shown) => probe.testCase.steps
const places = (shown: Shown): readonly string[] => placesOf(stepsOf(shown), shown.part.step)

/** Not one text: what a parser, or a list of methods, makes of them is one decision. */
const OF_THE_PARSER = /^(?:method|repeated parameters|names of parameters .*|parameters in the query)$/
/** What has nothing to do with the right value: a service that takes it takes everything. */
const ARBITRARY = new Set(['x', 'x/x'])

/**
 * Whether two requests, on each of which one side lets in what the other refuses, have one cause: they differ from the plain
 * one in the same place, and an experiment shows that it is the same decision. Where new lets in more, both changes at once
 * must pass as well; where it refuses more, its refusals must be equal.
 */
export async function haveOneCause(experiment: Experiment, a: Shown, b: Shown): Promise<boolean> {
  const own = places(a)
  const [place] = own
  if (place === undefined || own.join() !== places(b).join()) return false
  if (own.every((one) => OF_THE_PARSER.test(one))) return true
  if (own.length > 1) return false
  const [before, after] = [a, b].map((shown) => {
    const step = stepsOf(shown)[shown.part.step]
    return step && valueAt(step, place)
  })
  if (lenientSide(a) === 'old') return await isRefusedAlike(experiment, a, b)
  if (before !== undefined && ARBITRARY.has(before)) return true
  const both =
    before === undefined || after === undefined ? undefined : withBothChanges(a, before, b, after, place)
  if (both === undefined) return false
  const compared = await experiment.show(both.probe)
  return (
    compared.kind === 'compared' &&
    compared.parts.some(({ step, signature }) => step === both.part.step && signature === b.part.signature)
  )
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

function viewOf(compared: Compared, side: Own, step: number): View | undefined {
  const views = compared.kind === 'compared' ? viewsOf(compared[side]) : []
  return 'trouble' in views ? undefined : views[step]
}

/**
 * Whether a difference follows from another one, which is about one place. Where the side that lets it in answers the same to
 * the request with the plain thing there, and the sides do not differ on that, it does not look at the place; where all that the
 * other side says in addition is what it says there too, it says so for the same reason.
 */
export async function followsFrom(experiment: Experiment, shown: Shown, cause: Shown): Promise<boolean> {
  const [place, ...more] = places(cause)
  if (place === undefined) return isRefusedLikeAll(experiment, shown, cause)
  if (more.length > 0) return false
  const own = places(shown)
  // Repeated, it is one of several values.
  if (!own.includes(place) && !own.includes('repeated parameters')) return false
  const step = stepsOf(shown)[shown.part.step]
  for (const plain of step === undefined ? [] : restorations(step, place))
    if (await isIgnored(experiment, shown, cause, plain)) return true
  return addsItsMessages(experiment, shown, cause)
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

async function addsItsMessages(experiment: Experiment, shown: Shown, cause: Shown): Promise<boolean> {
  if (shown.part.about !== 'refusal') return false
  const [own, other] = [await experiment.show(shown.probe), await experiment.show(cause.probe)]
  const strict = strictSide(cause)
  const known = textsOf(viewOf(other, strict, cause.part.step))
  const [more, less] = (strict === 'new' ? (['new', 'old'] as const) : (['old', 'new'] as const)).map(
    (side) => textsOf(viewOf(own, side, shown.part.step)),
  )
  if (more === undefined || less === undefined) return false
  const added = more.filter((text) => !less.includes(text))
  return added.length > 0 && added.every((text) => known.includes(text))
}

function textsOf(view: View | undefined): readonly string[] {
  const texts: string[] = []
  const walk = (seen: Seen): void => {
    if (seen.kind === 'leaf') texts.push(seen.text)
    else if (seen.kind === 'array') seen.items.forEach(walk)
    else if (seen.kind === 'object') [...seen.members.values()].forEach(walk)
  }
  if (view !== undefined) walk(view.body)
  return texts
}
