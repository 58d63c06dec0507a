import type { Condition, Expectation, Judgement } from '../spec/types.js'
import type { CheckContext } from './checks/finding.js'
import { checkAll } from './checks/index.js'
import { registrationOutcome } from './checks/registration.js'
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
  const finding = checkAll(answer, expectation, context)
  if (finding.kind === 'holds') return { rule, outcome: 'passed' }
  if (finding.kind === 'undecided') return { rule, outcome: 'cantTell', reason: finding.reason }
  const { kind: _, message, isMissing, ...rest } = finding
  const hint = expectation.hint === undefined || isMissing ? '' : ` (${expectation.hint})`
  return { rule, outcome: 'failed', message: message + hint, ...rest }
}

/** An answer that the rules of section 2.1 are judged of. */
function isSuccess(answer: Answer): boolean {
  return answer.yieldsToken || (answer.status >= 200 && answer.status <= 299)
}

function isRejection(answer: Answer, { registration }: JudgeContext): boolean {
  return registration !== undefined && registrationOutcome(answer, registration) === 'rejected'
}

function hasResponse(exchange: Exchange): exchange is Exchange & { readonly response: WireResponse } {
  return exchange.response !== undefined
}
