import { LISTED_POLICY } from '../../../../spec/model/policy.js'
import { LISTED_MESSAGES, LISTED_REQUIREMENTS, lacks } from '../../../target/accounts/policy.js'
import { sentencesOf } from '../compare/answer-view.js'
import { compareAnswers, type PlaceDifference } from '../compare/compare-answers.js'
import { areBothGranted, type Comparer, type Witness } from '../compare/comparer.js'
import { type Direction, headerAspect, isMessage, messageAspects } from '../compare/discrepancies.js'
import { ANY, hasTraits, isNamed, type RequestTrait, traitsOf } from './request-traits.js'
import { smallerThan } from './smaller-probes.js'

/** What discrepancies have in common: one decision of a service. */
export interface Cause {
  /** The smallest requests that show it, each differing from a plain one in the same place; the plainest comes first. */
  readonly smallest: [Witness, ...Witness[]]
  readonly direction: Direction
  readonly behind: Witness[]
  /** The budget of failed logins ended the search for the smallest request. */
  limited: boolean
}

/** Probes that are tried for one discrepancy. Most were sent before, for another one. */
const MAX_TRIED = 120
/** Beyond so many values of one parameter, or so many parameters, the cause is not in the value or the name. */
const MAX_PARTICULAR = 3

/**
 * Groups discrepancies by cause. The plainest requests come first, and each of them differs from a plain one in one place:
 * that place is the cause of all that follows from it. What no known cause explains is made smaller until it is one.
 */
export async function isolate(comparer: Comparer, witnesses: readonly Witness[]): Promise<readonly Cause[]> {
  const causes: Cause[] = []
  // Whether a request is refused explains how it is: fates come first.
  const isFate = ({ discrepancy }: Witness): boolean => discrepancy.about === 'fate'
  // What is drawn is another in each run, and the id of a finding is to be the same.
  const rank = (one: Witness): number =>
    sizeOf(one) + (one.probe.isFixed ? 0 : 20) + (isNamed(one.probe) ? 5 : 0)
  const ordered = witnesses.toSorted((a, b) => Number(isFate(b)) - Number(isFate(a)) || rank(a) - rank(b))
  for (const witness of ordered) {
    const left = unexplained(witness, causes)
    if (left === undefined) continue
    const { smallest, limited } = await shrink(comparer, left)
    const small = smallest === left ? left : unexplained(smallest, causes, witness)
    if (small === undefined) continue
    const home = causes.find((cause) => isSameCause(cause, small))
    if (home === undefined)
      causes.push({ smallest: [small], direction: small.discrepancy.direction, behind: [witness], limited })
    else {
      home.smallest.push(small)
      home.behind.push(witness)
      home.limited ||= limited
    }
  }
  return joinOmissions(joinParticular(withoutConsequences(causes)))
}

/** A wider cause may have been found after a narrower one. */
function withoutConsequences(causes: Cause[]): readonly Cause[] {
  for (const cause of causes.toReversed()) {
    const wider = causes.find((other) => other !== cause && explains(other, cause.smallest[0]))
    if (wider === undefined) continue
    wider.smallest.push(...cause.smallest)
    wider.behind.push(...cause.behind)
    causes.splice(causes.indexOf(cause), 1)
  }
  return causes
}

/** How much a request differs from the plain one. A failed login is the plainest refusal. */
function sizeOf({ probe, discrepancy: { step } }: Witness): number {
  const { steps, forall } = probe.testCase
  const traits = traitsOf(probe, step)
  const [first] = traits
  const isUsual = traits.length === 1 && /^(?:wrong password|unknown user)$/.test(first?.phrase ?? '')
  return (
    steps.length * 1000 +
    traits.length * 100 +
    (isUsual ? -20 : first?.kinds[0] === ANY ? -10 : 0) +
    (forall === undefined ? 0 : 10)
  )
}

/** What none of the causes explains; what they do explain is counted there. */
function unexplained(witness: Witness, causes: readonly Cause[], counted = witness): Witness | undefined {
  const { discrepancy } = witness
  const cause = causes.find((one) => explains(one, witness))
  if (cause !== undefined) {
    cause.behind.push(counted)
    const isPlain = traitsIn(witness).length === 1 && witness.probe.testCase.forall === undefined
    if (isPlain && discrepancy.about === 'fate') cause.smallest.push(witness)
    return undefined
  }
  if (discrepancy.about === 'fate') return witness
  const named = causeOfMessages(witness, causes)
  named?.cause.behind.push(counted)
  const changes = named?.beside ?? discrepancy.aspects
  const owners = [...new Set(changes.flatMap((aspect) => ownersOf(aspect, witness, causes)))]
  const owned = owners.flatMap(({ smallest }) => smallest.flatMap((one) => one.discrepancy.aspects))
  const aspects = changes.filter((aspect) => !owned.includes(aspect))
  // An answer with two changes is one of the answers of each.
  for (const { behind } of owners) behind.push(counted)
  if (aspects.length === 0) return undefined
  if (aspects.length === discrepancy.aspects.length) return witness
  const isLeft = (one: PlaceDifference): boolean =>
    discrepancy.about !== 'headers' || aspects.includes(headerAspect(one))
  return {
    ...witness,
    discrepancy: { ...discrepancy, aspects, differences: discrepancy.differences.filter(isLeft) },
  }
}

/** The causes that a change belongs to: those whose answers break what this one breaks, and no more if there are such. */
function ownersOf(aspect: string, witness: Witness, causes: readonly Cause[]): readonly Cause[] {
  const owning = (isLike: (one: Witness) => boolean): readonly Cause[] =>
    causes.filter(({ smallest }) =>
      smallest.some((one) => one.discrepancy.aspects.includes(aspect) && isLike(one)),
    )
  const like = owning((one) => showsFaultsOf(one, witness))
  const alike = owning((one) => showsFaultsOf(one, witness) && showsFaultsOf(witness, one))
  return alike.length > 0 ? alike : like
}

/** Whether another cause explains it, too: drawn by chance, it would blame this one for what that one breaks. */
export function isOfOther(witness: Witness, cause: Cause, causes: readonly Cause[]): boolean {
  return witness.probe.isFixed !== true && causes.some((one) => one !== cause && explains(one, witness))
}

/** Whether a discrepancy follows from a cause that is known: the request has what the cause is about. */
function explains({ smallest, direction }: Cause, witness: Witness): boolean {
  const { about } = witness.discrepancy
  return smallest.some((known) => {
    if (known.discrepancy.about !== 'fate' || isRegistration(known) !== isRegistration(witness)) return false
    if (!showsFaultsOf(known, witness) || isLeftOut(known, witness)) return false
    if (!hasTraits(traitsIn(witness), traitsIn(known)) && !hasItsReasons(known, witness)) return false
    // An answer that is neither a token nor an error, as to OPTIONS, is given to that request: it is not how others are read.
    if (SIDES.some((side) => known[side].fate === 'done')) return isAnsweredAs(known, witness)
    if (about === 'fate' && witness.discrepancy.direction === direction && !hasOtherReasons(known, witness))
      return true
    return SIDES.some((side) => isAnsweredAlike(known, witness, side))
  })
}

const SIDES = ['old', 'new'] as const

/** Whether what new breaks by its answer shows in the other witness, too: else it would be lost. So would what it mends. */
function showsFaultsOf(shown: Witness, witness: Witness): boolean {
  if (isRefusedAs(shown, witness)) return true
  const areIn = (one: Witness, other: Witness): boolean =>
    one.wrongly.every((rule) => other.wrongly.includes(rule))
  if (witness.isRefusedWrongly && !shown.isRefusedWrongly) return false
  if (!areIn(witness, shown)) return false
  return witness.new.fate !== 'granted' || areBothGranted(witness) || areIn(shown, witness)
}

/**
 * Whether new refuses it as it refuses what it must grant, for what both have: how it does so is no further fault. What it
 * makes of a plain login says nothing of those that it must refuse.
 */
function isRefusedAs(shown: Witness, witness: Witness): boolean {
  const traits = traitsIn(shown)
  const hasThem = traits.length > 0 && hasTraits(traitsIn(witness), traits)
  return shown.refusesGrant && hasThem && isAnsweredAlike(shown, witness, 'new')
}

/** Whether new still refuses what it must grant, where it grants what is like it: that is no part of what it mends. */
function isLeftOut(shown: Witness, witness: Witness): boolean {
  const isMended = shown.discrepancy.about === 'fate' && shown.discrepancy.direction === 'looser'
  return isMended && witness.refusesGrant
}

/** Whether a side does not look any further, and refuses both in the same way: by a status that says why, or by all it says. */
function isAnsweredAlike(known: Witness, witness: Witness, side: 'old' | 'new'): boolean {
  const [own, other] = [known[side], witness[side]]
  if (own.fate === 'granted' || own.fate === 'registered' || own.status !== other.status) return false
  const isTelling = other.status !== witness[side === 'old' ? 'new' : 'old'].status
  return isTelling || compareAnswers(own, other).length === 0
}

function strictSide({ discrepancy: { direction } }: Witness): 'old' | 'new' {
  return direction === 'stricter' ? 'new' : 'old'
}

function traitsIn({ probe, discrepancy }: Witness): readonly RequestTrait[] {
  return traitsOf(probe, discrepancy.step)
}

/** Of a new account several things may be wrong: the refusal says which. */
function hasOtherReasons(known: Witness, witness: Witness): boolean {
  if (!isRegistration(known)) return false
  const [own, other] = [reasonsOf(known), reasonsOf(witness)]
  return own.length > 0 && !own.every((reason) => other.includes(reason))
}

/**
 * The first of the causes by which all is explained that one side says in addition: it says so where it alone refuses.
 * `beside` are the changes that none explains: what that side leaves out, or says wrongly.
 */
function causeOfMessages(
  witness: Witness,
  causes: readonly Cause[],
): { readonly cause: Cause; readonly beside: readonly string[] } | undefined {
  const { about, aspects } = witness.discrepancy
  if (about !== 'refusal' || !isRegistration(witness)) return undefined
  const messages = messageAspects(witness.old, witness.new)
  const untrue = untrueMessages(witness)
  const reasonsIn = (cause: Cause): readonly string[] =>
    reasonAspects(cause).filter((text) => !untrue.includes(withoutSign(text)))
  const reasons = causes.flatMap(reasonsIn)
  for (const side of SIDES) {
    const added = messages.filter((text) => text.startsWith(SIGNS[side]))
    const cause = causes.find((one) => reasonsIn(one).some((text) => added.includes(text)))
    if (cause === undefined || !added.every((text) => reasons.includes(text) || isListed(text))) continue
    // Another minimum has the same message with another number.
    const left = messages.filter(
      (text) =>
        !reasons.includes(text) &&
        (added.includes(text) || !added.some((own) => withoutNumbers(own) === withoutNumbers(text))),
    )
    return { cause, beside: left.length === 0 || aspects.some(isMessage) ? left : aspects }
  }
  return undefined
}

/** Of what one side alone says. */
const SIGNS = { old: '- ', new: '+ ' } as const

/** What the side that refuses a new account says of it, as aspects of answers in which both refuse one. */
function reasonAspects({ smallest }: Cause): readonly string[] {
  return smallest
    .filter((one) => one.discrepancy.about === 'fate' && isRegistration(one))
    .flatMap((one) => {
      const sign = SIGNS[strictSide(one)]
      const untrue = untrueMessages(one).map((text) => sign + text)
      return messageAspects(one.old, one.new).filter(
        (text) => text.startsWith(sign) && !untrue.includes(text),
      )
    })
}

/** The listed messages (7) whose requirement the password of a new account meets: beside others, they are no reason. */
function untrueMessages({ probe, discrepancy: { step } }: Witness): readonly string[] {
  const { password: written = '$fresh.password' } = probe.testCase.steps[step]?.register ?? {}
  const drawn = probe.values[written.slice(1)]
  const password = written.startsWith('$') && typeof drawn === 'string' ? drawn : written
  // A fresh account's own meets each of them; of others that are named, that is not known.
  const meetsAll = password.includes('$fresh.password')
  if (!meetsAll && password === written && password.includes('$')) return []
  return LISTED_REQUIREMENTS.filter(
    (requirement) => meetsAll || !lacks(requirement, password, LISTED_POLICY),
  ).map((requirement) => LISTED_MESSAGES[requirement])
}

/** Whether a change is a message of section 7, which belongs to what a password lacks. */
function isListed(aspect: string): boolean {
  return Object.values(LISTED_MESSAGES).includes(withoutSign(aspect))
}

function withoutSign(aspect: string): string {
  return aspect.slice(SIGNS.old.length)
}

function withoutNumbers(aspect: string): string {
  return withoutSign(aspect).replace(/\d+/g, '')
}

/** Another new account that is refused for the same reason, and maybe for others. */
function hasItsReasons(known: Witness, witness: Witness): boolean {
  const [[own], [other]] = [traitsIn(known), traitsIn(witness)]
  return (
    isRegistration(known) &&
    own?.place === other?.place &&
    reasonsOf(known).length > 0 &&
    !hasOtherReasons(known, witness)
  )
}

/** What the service that refuses says, and the other one does not. */
export function reasonsOf(witness: Witness): readonly string[] {
  const accepted = sentencesOf(witness[strictSide(witness) === 'old' ? 'new' : 'old'])
  return sentencesOf(witness[strictSide(witness)]).filter((text) => !accepted.includes(text))
}

function isRegistration({ probe, discrepancy }: Witness): boolean {
  return probe.testCase.steps[discrepancy.step]?.register !== undefined
}

/** What a parser, or a list, makes of all of a kind is one decision: methods, paths, repeated parameters. */
const ONE_DECISION = /^(?:method|path|repeated parameters|parameters in the query|size)$/

/** Whether two smallest requests differ from the plain one in one place, and one decision of a service is behind both. */
function isSameCause({ smallest, direction }: Cause, witness: Witness): boolean {
  const { about } = witness.discrepancy
  return smallest.some((known) => {
    // What a new password may be, and what is right at a login, are two decisions.
    if (isRegistration(known) !== isRegistration(witness)) return false
    if (!showsFaultsOf(known, witness) || !showsFaultsOf(witness, known)) return false
    if (isLeftOut(known, witness)) return false
    const [own, ...further] = traitsIn(known)
    const [other, ...more] = traitsIn(witness)
    if (
      own === undefined ||
      other === undefined ||
      own.place !== other.place ||
      further.length + more.length > 0
    )
      return false
    if (about === 'fate' && witness.discrepancy.direction !== direction) return false
    // How a failed login is answered, and with which headers, are two matters.
    if ((about === 'headers') !== (known.discrepancy.about === 'headers')) return false
    if (about !== 'fate' && about !== 'refusal')
      return own.kinds[0] === other.kinds[0] && known.discrepancy.about === about && about !== 'value'
    if (ONE_DECISION.test(own.place)) return about === known.discrepancy.about && isAnsweredAs(known, witness)
    if (isRegistration(known) && about === 'fate' && reasonsOf(known).length > 0)
      return reasonsOf(known).join() === reasonsOf(witness).join()
    return other.kinds.includes(own.kinds[0] ?? '')
  })
}

/** Whether both sides answer both with the same status: an accepted difference is not to cover another one. */
function isAnsweredAs(known: Witness, witness: Witness): boolean {
  return SIDES.every((side) => known[side].status === witness[side].status)
}

/** Joins many values of one parameter that have nothing in common but the parameter, and many extra parameters. */
function joinParticular(causes: readonly Cause[]): readonly Cause[] {
  const placeOf = ({ smallest: [first], direction }: Cause): string | undefined => {
    const [own, ...more] = first === undefined ? [] : traitsIn(first)
    if (own === undefined || first === undefined || more.length > 0) return undefined
    if (own.kinds[0]?.startsWith('value ')) return [direction, own.place, ...first.wrongly].join(' ')
    const { about, aspects } = first.discrepancy
    return own.place.startsWith('parameter ')
      ? [direction, about, ...aspects, first.old.status, first.new.status, ...first.wrongly].join(' ')
      : undefined
  }
  return causes.filter((cause) => {
    const place = placeOf(cause)
    const alike = place === undefined ? [] : causes.filter((other) => placeOf(other) === place)
    const [first] = alike
    if (alike.length <= MAX_PARTICULAR || first === undefined || first === cause) return true
    first.smallest.push(...cause.smallest)
    first.behind.push(...cause.behind)
    return false
  })
}

/** Joins what follows from one decision: a service that gives one reason where the other gives all. */
function joinOmissions(causes: readonly Cause[]): readonly Cause[] {
  const [first, ...others] = SIDES.flatMap((side) => {
    const [sign, other] = side === 'new' ? ['- ', 'old' as const] : ['+ ', 'new' as const]
    const own = causes.filter(({ smallest }) =>
      smallest.every(
        (one) =>
          one.discrepancy.about === 'refusal' &&
          one.discrepancy.aspects.every((aspect) => aspect.startsWith(sign)) &&
          sentencesOf(one[side]).length === 1 &&
          sentencesOf(one[other]).length > 1,
      ),
    )
    return own.length > 1 ? own : []
  })
  for (const cause of others) {
    first?.smallest.push(...cause.smallest)
    first?.behind.push(...cause.behind)
  }
  return causes.filter((cause) => !others.includes(cause))
}

async function shrink(
  comparer: Comparer,
  witness: Witness,
): Promise<{ smallest: Witness; limited: boolean }> {
  let smallest = witness
  let [tried, limited] = [0, false]
  search: while (traitsIn(smallest).length > 0 && !isNamed(smallest.probe)) {
    for (const { probe, at } of smallerThan(smallest.probe, smallest.discrepancy.step)) {
      if (tried++ >= MAX_TRIED) break search
      const compared = await comparer.compareOnce(probe)
      limited ||= compared.kind === 'spent'
      if (compared.kind !== 'compared') continue
      const same = compared.witnesses.find((one) => one.discrepancy.step === at && showsTheSame(one, witness))
      if (same === undefined || !isSmaller(same, smallest)) continue
      smallest = same
      continue search
    }
    break
  }
  return { smallest, limited }
}

/** A smaller password may break several rules where the larger one breaks one: the refusal must not name further reasons. */
function isSmaller(after: Witness, before: Witness): boolean {
  if (sizeOf(after) > sizeOf(before)) return false
  const password = after.probe.testCase.steps[after.discrepancy.step]?.register?.password
  if (after.discrepancy.about !== 'fate' || password === undefined || password === 'x') return true
  return reasonsOf(after).every((reason) => reasonsOf(before).includes(reason))
}

function showsTheSame(after: Witness, witness: Witness): boolean {
  const { discrepancy: a } = after
  const { discrepancy: b } = witness
  if (!showsFaultsOf(after, witness)) return false
  // Without the rest of the request it may be accepted, which explains how it is refused.
  if (a.about === 'fate' && b.about === 'refusal') return traitsIn(witness).length > 1
  if (a.about === 'fate' || b.about === 'fate') return a.about === b.about && a.direction === b.direction
  return b.aspects.every((aspect) => a.aspects.includes(aspect))
}

/** What differs in the tokens of many logins, with the answers that show it: only the token differs in them. */
export function tokenCause(onTokens: Witness, witnesses: readonly Witness[]): Cause {
  const same = witnesses.filter(({ discrepancy: { differences } }) =>
    differences.every(({ at }) => at === '/access_token'),
  )
  return { smallest: [onTokens], direction: 'neither', behind: [onTokens, ...same], limited: false }
}

/** Headers that differ in the same way in many answers are a cause of their own: other findings do not repeat them. */
export function sharedHeaders(causes: readonly Cause[]): (one: PlaceDifference) => boolean {
  const shared = causes.flatMap(({ smallest: [{ discrepancy }] }) =>
    discrepancy.about === 'headers' ? discrepancy.aspects : [],
  )
  return (one) => shared.includes(headerAspect(one))
}
