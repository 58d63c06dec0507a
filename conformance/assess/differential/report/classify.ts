import type { Finding } from '../../../../spec/generated/types/differential.js'
import type { Step } from '../../../../spec/model/case.js'
import { groupBy } from '../../../../spec/model/items.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import type { AnswerPair } from '../ask/service-side.js'
import type { PlaceDifference } from '../compare/compare-answers.js'
import type { Witness } from '../compare/comparer.js'
import { type Discrepancy, isMessage } from '../compare/discrepancies.js'
import type { BrokenRule } from '../rules/broken-rules.js'
import { isAboutPlace, rulesAbout } from '../rules/rules-about.js'

/** Where a rule may be broken in some of the answers alone: `userId` is another one for each account. */
const EACH_COUNTS: readonly Discrepancy['about'][] = ['fate', 'members']

/** What both services answer to a request, and what differs in it. */
export interface JudgedPair {
  readonly pair: AnswerPair
  readonly discrepancy: Discrepancy
}

/**
 * The class of a finding, by the first answers of which one side breaks a rule that the other keeps.
 * @param usual rules that each side breaks in the answer to a plain login
 */
export function classify(
  answers: readonly JudgedPair[],
  usual: Partial<Readonly<Record<PairSide, ReadonlySet<string>>>>,
): Pick<Finding, 'class' | 'rules'> {
  let both: readonly string[] = []
  // The plainest password lacks all at once: the rule on one message is for passwords that lack one thing.
  const isOfMessages = answers.every(({ discrepancy }) => discrepancy.aspects.some(isMessage))
  const found: Pick<Finding, 'class' | 'rules'>[] = []
  const ofEvery = new Set<string>()
  for (const { pair, discrepancy } of answers) {
    const [ofOld, ofNew] = (['old', 'new'] as const).map((side) =>
      rulesAbout(pair[side], discrepancy, side, usual[side]),
    )
    const [old, now] = [rulesOf(ofOld), rulesOf(ofNew)]
    for (const one of ofNew ?? []) if (one.ofEvery) ofEvery.add(one.rule)
    const broken = now.filter((rule) => !old.includes(rule))
    const fixed = old.filter((rule) => !now.includes(rule))
    const inPlace = rulesOf(ofNew?.filter((one) => isAboutPlace(one, discrepancy)))
    const kept = inPlace.filter((rule) => old.includes(rule))
    if (broken.length > 0) found.push({ class: 'breaks', rules: broken })
    // One rule mended, and another broken in another way, maybe in a later answer.
    else if (kept.length > 0 && fixed.length + found.length > 0) found.push({ class: 'both', rules: kept })
    else if (fixed.length > 0) found.push({ class: 'mends', rules: fixed })
    // What new says of one new account may be right, and of another wrong.
    const isOfNew = pair.new.run.testCase.steps[discrepancy.step]?.register !== undefined
    if (found.length > 0 && !EACH_COUNTS.includes(discrepancy.about) && !isOfMessages && !isOfNew) break
    if (both.length === 0) both = inPlace
  }
  // Old may have been wrong about one of them, and new about another.
  const worst = (['breaks', 'both', 'mends'] as const).find((own) => found.some((one) => one.class === own))
  const same = found.filter((one) => one.class === worst)
  if (same[0] !== undefined) {
    const all = [...new Set(same.flatMap(({ rules }) => rules))]
    // It is not mended where new breaks it in the plainest answer.
    if (worst === 'mends' && both.some((rule) => all.includes(rule))) return { class: 'both', rules: both }
    // What is wrong with any such answer says nothing of the rules on the request.
    const own = same.map((one) => ({ ...one, rules: one.rules.filter((rule) => !ofEvery.has(rule)) }))
    const shared = [...sharedRules(own), ...all.filter((rule) => ofEvery.has(rule))]
    return { ...same[0], rules: isOfMessages ? all : shared }
  }
  return both.length > 0 ? { class: 'both', rules: both } : { class: 'silent', rules: [] }
}

/** Several rules may ask that one request be accepted: those count that the most requests of the cause break. */
function sharedRules(all: readonly Pick<Finding, 'class' | 'rules'>[]): readonly string[] {
  const counts = groupBy(
    all.flatMap(({ rules }) => rules),
    (rule) => rule,
  )
  const max = Math.max(...[...counts.values()].map(({ length }) => length))
  return [...counts].flatMap(([rule, own]) => (own.length === max ? rule : []))
}

function rulesOf(broken: readonly BrokenRule[] = []): readonly string[] {
  return [...new Set(broken.map(({ rule }) => rule))]
}

/** Who is hurt, the worst first. */
export const HURTS: readonly Finding['hurts'][] = [
  'users',
  'sign-in',
  'registration',
  'answers',
  'refusals',
  'none',
  'headers',
]

/** A time that clients can read, though it is another one. */
const READABLE = /^\d+(?: s (?:after|before) .*)?$/

export function whoIsHurt(
  { probe, discrepancy, old, new: now }: Witness,
  { class: own, rules }: Pick<Finding, 'class' | 'rules'>,
): Finding['hurts'] {
  const { about, direction, differences } = discrepancy
  const breaks = own === 'breaks'
  if (about === 'headers') return 'headers'
  if (about === 'refusal') return 'refusals'
  if (direction === 'looser')
    return breaks && letsIn(rules, probe.testCase.steps[discrepancy.step]) ? 'users' : 'none'
  if (about === 'fate') return old.isRegistration ? 'registration' : 'sign-in'
  // Clients read a body by its media type, whatever its parameters.
  const [type, before] = [now, old].map(({ mediaType }) => mediaType.split(';')[0])
  if (about === 'media type' && type === before) return 'answers'
  // They sign in with a token of any age, and learn later when it ends.
  const isReadable = (one: PlaceDifference): boolean =>
    one.at.startsWith('later ') ||
    (about === 'times' && [one.old, one.new].every((text) => READABLE.test(text)))
  if (differences.every(isReadable)) return 'answers'
  // Clients refuse a token response that is not as documented.
  return breaks && !old.isRegistration ? 'sign-in' : 'answers'
}

/** Whether a new service that breaks these rules signs in somebody who does not have both credentials. */
function letsIn(rules: readonly string[], step: Step | undefined): boolean {
  const sent = JSON.stringify(step)
  const holdsBoth = /\$\w+\.(?:userName|loginName)\b/.test(sent) && /\$\w+\.password\b/.test(sent)
  return (
    rules.includes('4.1-credentials') ||
    (!holdsBoth && ['4.1-username', '4.1-password'].some((rule) => rules.includes(rule)))
  )
}
