import type { Condition, Expectation, Judgement } from '../spec/types.js'
import { checkAdvances, checkNearResponseTime, checkSpan } from './checks/dates.js'
import type { CheckContext, Finding } from './checks/finding.js'
import { checkMember } from './checks/member.js'
import {
  checkExactNames,
  checkFound,
  checkHasMembers,
  checkJson,
  checkJsonObject,
  checkMediaType,
  checkOnlyMembers,
  checkSameAnswer,
  checkSameMembers,
  checkStatus,
  checkYieldsToken,
} from './checks/message.js'
import {
  checkListedMessages,
  checkNeverSays,
  checkRegistered,
  checkRegisteredTimes,
  checkSays,
  registrationOutcome,
} from './checks/registration.js'
import type { Exchange, WireResponse } from './exchange.js'
import { Answer } from './wire/answer.js'

/** What an expectation is judged in, beside the answer: pure data and look-ups. */
export interface JudgeContext extends CheckContext {
  /** Why a condition of the expectation does not apply here, or undefined when it does. */
  readonly unmet: (condition: Condition) => string | undefined
}

/** The answer of an exchange, or why there is none to judge. */
export function answerOf(exchange: Exchange): Answer | { readonly reason: string } {
  if (exchange.failure !== undefined) return { reason: exchange.failure.message }
  if (!hasResponse(exchange)) return { reason: 'no answer came' }
  return exchange.response.truncated ? { reason: 'the body is longer than 1 MiB' } : new Answer(exchange)
}

/** One expectation, one judgement. Pure. */
export function judge(
  expectation: Expectation,
  answer: Answer | { readonly reason: string },
  context: JudgeContext,
): Judgement {
  const { rule } = expectation
  const unmet = expectation.when && context.unmet(expectation.when)
  if (unmet !== undefined) return { rule, outcome: 'inapplicable', reason: unmet }
  if (!(answer instanceof Answer)) return { rule, outcome: 'cantTell', reason: answer.reason }
  if (expectation.given === 'refusal' && answer.yieldsToken) {
    // Another rule is broken by that. This one is not green for it.
    return { rule, outcome: 'cantTell', reason: 'the answer yields a token: no error to judge' }
  }
  if (expectation.given === 'success' && !isSuccess(answer)) {
    return {
      rule,
      outcome: 'cantTell',
      reason: `the request was refused (${answer.status}): no token response to judge`,
    }
  }
  if (expectation.given === 'rejection' && !isRejection(answer, context)) {
    return {
      rule,
      outcome: 'cantTell',
      reason: `the registration was not rejected (${answer.status}): no rejection to judge`,
    }
  }
  for (const check of checksOf(expectation)) {
    const finding = check(answer, context)
    if (finding.kind === 'holds') continue
    if (finding.kind === 'undecided') return { rule, outcome: 'cantTell', reason: finding.reason }
    const { kind: _, message, isMissing, ...rest } = finding
    const hint = expectation.hint === undefined || isMissing ? '' : ` (${expectation.hint})`
    return { rule, outcome: 'failed', message: message + hint, ...rest }
  }
  return { rule, outcome: 'passed' }
}

/** An answer that the rules of section 2.1 are judged of. */
function isSuccess(answer: Answer): boolean {
  return answer.yieldsToken || (answer.status >= 200 && answer.status <= 299)
}

function isRejection(answer: Answer, { registration }: JudgeContext): boolean {
  return registration !== undefined && registrationOutcome(answer, registration) === 'rejected'
}

type Check = (answer: Answer, context: CheckContext) => Finding

/** The checks that an expectation holds (but `acrossAccounts`, which many answers decide together), in the order in which a person would look. */
function checksOf(expectation: Expectation): readonly Check[] {
  const checks: Check[] = []
  const { yieldsToken, status, mediaType, json, member, span, nearResponseTime, advances } = expectation
  const { exactNames, hasMembers, onlyMembers, sameAnswerAs, found } = expectation
  if (status !== undefined) checks.push((answer) => checkStatus(answer, status))
  if (yieldsToken !== undefined) checks.push((answer) => checkYieldsToken(answer, yieldsToken))
  if (found) checks.push((answer) => checkFound(answer))
  if (mediaType !== undefined) checks.push((answer) => checkMediaType(answer, mediaType))
  if (expectation.jsonObject) checks.push((answer) => checkJsonObject(answer))
  if (json !== undefined) checks.push((answer) => checkJson(answer, json))
  if (member !== undefined) checks.push((answer, context) => checkMember(answer, member, context))
  if (hasMembers !== undefined) checks.push((answer) => checkHasMembers(answer, hasMembers))
  if (onlyMembers !== undefined) checks.push((answer) => checkOnlyMembers(answer, onlyMembers))
  if (exactNames !== undefined) checks.push((answer) => checkExactNames(answer, exactNames))
  if (span !== undefined) checks.push((answer, context) => checkSpan(answer, span, context))
  if (nearResponseTime !== undefined)
    checks.push((answer, context) => checkNearResponseTime(answer, nearResponseTime, context))
  if (advances !== undefined) checks.push((answer, context) => checkAdvances(answer, advances, context))
  const { registered, registeredTimes, says, listedMessages, neverSays, sameMembersAs } = expectation
  if (registered !== undefined) checks.push((answer, context) => checkRegistered(answer, registered, context))
  if (registeredTimes !== undefined)
    checks.push((_, context) => checkRegisteredTimes(context.copies ?? [], registeredTimes, context))
  if (says !== undefined) checks.push((answer) => checkSays(answer, says))
  if (listedMessages !== undefined) checks.push(checkListedMessages)
  if (neverSays !== undefined) checks.push(checkNeverSays)
  if (sameMembersAs !== undefined)
    checks.push((answer, context) => checkSameMembers(answer, sameMembersAs, context))
  if (sameAnswerAs !== undefined)
    checks.push((answer, context) => checkSameAnswer(answer, sameAnswerAs, context))
  return checks
}

function hasResponse(exchange: Exchange): exchange is Exchange & { readonly response: WireResponse } {
  return exchange.response !== undefined
}
