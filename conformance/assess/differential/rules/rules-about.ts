import type { PairSide } from '../../../drivers/pair/service-pair.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { type ServiceAnswers, sentForSteps } from '../ask/service-side.js'
import { type Discrepancy, isInText } from '../compare/discrepancies.js'
import { type BrokenRule, brokenRules } from './broken-rules.js'
import { isFreeAgain } from './case-scope.js'

const TIMES = /^\/(?:\.?issued|\.?expires|expires_in)$/

/**
 * The rules about the discrepancy that the answers of one side break.
 * @param usual rules that the side breaks in the answer to a plain login: a token that the other one refuses is of no other
 * kind. Default: all.
 */
export function rulesAbout(
  answers: ServiceAnswers,
  discrepancy: Discrepancy,
  side: PairSide,
  usual?: ReadonlySet<string>,
): readonly BrokenRule[] {
  const isUnusual = ({ rule, ofEvery, isSpelling, step }: BrokenRule): boolean =>
    ofEvery &&
    !isSpelling &&
    usual?.has(rule) === false &&
    step === discrepancy.step &&
    fateOf(side, discrepancy) === 'granted'
  const sent = sentForSteps(answers)
  // What new rejects, it must not keep: at the old service the same login, or the same refusal, was right.
  const isKept = ({ step, ofEvery }: BrokenRule): boolean => {
    const response = sent[step]?.response
    if (side !== 'new' || ofEvery || step <= discrepancy.step || fateOf('new', discrepancy) !== 'refused')
      return false
    return (response instanceof HttpResponse && response.yieldsToken) || isFreeAgain(sent, step, answers)
  }
  return brokenRules(answers).filter(
    (one) => isAbout(one, discrepancy, side) || isUnusual(one) || isKept(one),
  )
}

/** What a side makes of the request, where the other one makes something else of it. */
function fateOf(side: PairSide, { about, differences }: Discrepancy): string | undefined {
  return about === 'fate' ? differences.find((one) => one.at === 'outcome')?.[side] : undefined
}

/** The rules that the new service breaks, in the very place in which they differ, and the old one never, or in other ways. */
export function breaksAnew(
  old: readonly ServiceAnswers[],
  now: ServiceAnswers,
  discrepancy: Discrepancy,
  isCounted = (one: BrokenRule): boolean => isInPlace(one, discrepancy),
): readonly string[] {
  const broken = rulesAbout(now, discrepancy, 'new').filter(isCounted)
  if (broken.length === 0) return []
  const before = new Set(old.flatMap((answers) => rulesAbout(answers, discrepancy, 'old').map(kindOf)))
  return [...new Set(broken.flatMap((one) => (before.has(kindOf(one)) ? [] : one.rule)))]
}

/** The rules that the new service breaks by how it refuses a login, or by what it keeps of an account that it rejects. */
export function refusesWrongly(
  old: readonly ServiceAnswers[],
  now: ServiceAnswers,
  discrepancy: Discrepancy,
): readonly string[] {
  const isRegistration = now.run.testCase.steps[discrepancy.step]?.register !== undefined
  const isCounted = ({ at, step }: BrokenRule): boolean =>
    step > discrepancy.step || (!isRegistration && at !== 'outcome')
  return breaksAnew(old, now, discrepancy, isCounted)
}

/** Whether the new service breaks a rule by how it refuses a login. */
export function isRefusedWrongly(now: ServiceAnswers, discrepancy: Discrepancy): boolean {
  if (now.run.testCase.steps[discrepancy.step]?.register !== undefined) return false
  return rulesAbout(now, discrepancy, 'new').some(
    ({ at, step }) => at !== 'outcome' && step === discrepancy.step,
  )
}

/**
 * The rules that the new service breaks by what it grants: where the old one refuses it, those on every token; else those
 * about what differs.
 * @param usual rules that new breaks in the answer to a plain login
 */
export function grantsWrongly(
  now: ServiceAnswers,
  discrepancy: Discrepancy,
  usual: ReadonlySet<string> = new Set(),
): readonly string[] {
  const isFate = discrepancy.about === 'fate'
  if (isFate && (fateOf('old', discrepancy) !== 'refused' || fateOf('new', discrepancy) !== 'granted'))
    return []
  const broken = rulesAbout(now, discrepancy, 'new', usual).filter(({ ofEvery }) => ofEvery || !isFate)
  return [...new Set(broken.map(({ rule }) => rule))]
}

/** Whether the new service refuses a login that must yield a token, or otherwise than the same login elsewhere in the case. */
export function refusesGrant(now: ServiceAnswers, { step }: Discrepancy): boolean {
  const isLogin = now.run.testCase.steps[step]?.register === undefined
  return isLogin && brokenRules(now).some((one) => one.step === step && one.at === 'outcome' && !one.ofEvery)
}

function kindOf({ rule, how }: BrokenRule): string {
  return `${rule} ${how}`
}

function isAbout(broken: BrokenRule, discrepancy: Discrepancy, side: PairSide): boolean {
  const { at, ofEvery, step } = broken
  const { about, differences } = discrepancy
  if (step !== discrepancy.step) return false
  switch (about) {
    // How the old service refuses is another matter.
    case 'fate':
      return !ofEvery && (side === 'new' || at === 'outcome' || fateOf(side, discrepancy) !== 'refused')
    case 'refusal':
    case 'body':
      return true
    case 'headers':
      return false
    case 'times':
      return TIMES.test(at)
    case 'value':
      return isAtDifference(broken, discrepancy)
    case 'members': {
      // A member that one side adds may be in the wrong place.
      return /^(?:members|order)$/.test(at) || differences.some((one) => one.at === `member ${at}`)
    }
    default:
      return at === about
  }
}

/** Both sides may break a rule about times alike, in another place than the one in which they differ. */
export function isAboutPlace(broken: BrokenRule, discrepancy: Discrepancy): boolean {
  return discrepancy.about !== 'times' || isAtDifference(broken, discrepancy)
}

/** A refusal, or a text, breaks rules in other places too. What it says may be anywhere in its body. */
function isInPlace(broken: BrokenRule, discrepancy: Discrepancy): boolean {
  const { about, differences } = discrepancy
  if (about !== 'refusal' && about !== 'body') return true
  return (broken.at === 'body' && differences.some(isInText)) || isAtDifference(broken, discrepancy)
}

function isAtDifference({ at }: BrokenRule, { differences }: Discrepancy): boolean {
  return differences.some((one) => [at, `format ${at}`, `later ${at}`].includes(one.at))
}
