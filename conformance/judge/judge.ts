import type { Condition, Expectation } from '../../spec/model/expectation.js'
import { type Judgement, NO_REJECTION, TOKEN_NOT_ERROR } from '../../spec/model/report.js'
import { HttpResponse, type ResponseOrReason, textIn } from '../exchange/http-response.js'
import { classifyRegistration } from '../target/accounts/policy.js'
import type { Account, Deployment } from '../target/deployment.js'
import type { CheckContext } from './checks/check-result.js'
import { type CheckTable, checkAll } from './checks/index.js'
import { isPasswordInOtherCase } from './checks/message.js'

/** What an expectation is judged by, in addition to the answer: pure data and look-ups. */
export interface JudgeContext extends CheckContext {
  /** Why a condition of the expectation does not apply here, or undefined when it does. */
  readonly unmet: (condition: Condition) => string | undefined
  /** Whether a step was accepted, by its name: its registration, or its request for a token. */
  readonly accepted?: ((step: string) => boolean) | undefined
  /** Default: the suite's own. */
  readonly checks?: CheckTable | undefined
}

/** One expectation, one judgement. Pure. */
export function judge(
  expectation: Expectation,
  response: ResponseOrReason,
  context: JudgeContext,
): Judgement {
  const { rule, given, needs, ifAccepted, ifRejected, orAccepted } = expectation
  const inapplicable = (reason: string): Judgement => ({ rule, outcome: 'inapplicable', reason })
  const cantTell = (reason: string): Judgement => ({ rule, outcome: 'cantTell', reason })
  const unmet = expectation.when && context.unmet(expectation.when)
  if (unmet !== undefined) return inapplicable(unmet)
  if (ifAccepted !== undefined && context.accepted?.(ifAccepted) === false)
    return inapplicable(`the service does not accept the step \`${ifAccepted}\``)
  if (ifRejected !== undefined && !isRejection(context.responseOf(ifRejected), context))
    return inapplicable(`the service does not reject the step \`${ifRejected}\``)
  if (needs !== undefined && context.accepted?.(needs) === false)
    return cantTell(`the step \`${needs}\` was not accepted: what follows it shows nothing`)
  if (!(response instanceof HttpResponse)) {
    const closes = expectation.orCloses && response.closed
    return closes ? { rule, outcome: 'passed' } : cantTell(response.reason)
  }
  const { status, yieldsToken } = response
  // Another rule is broken by that. This one is not green for it.
  if (given === 'refusal' && yieldsToken) return cantTell(TOKEN_NOT_ERROR)
  if (given === 'success' && !isSuccess(response))
    return cantTell(`the request was refused (${status}): no token response to judge`)
  if (given === 'rejection' && !isRejection(response, context))
    return cantTell(`the registration was not rejected (${status}): ${NO_REJECTION}`)
  const checked = checkAll(response, expectation, context, context.checks)
  if (checked.kind === 'pass') return { rule, outcome: 'passed' }
  if (checked.kind === 'inconclusive') {
    const { kind: _, ...unknown } = checked
    return { rule, outcome: 'cantTell', ...unknown }
  }
  if (orAccepted !== undefined && context.accepted?.(orAccepted) === true) return { rule, outcome: 'passed' }
  const { kind: _, message, hasNoValue, ...rest } = checked
  const hint = hasNoValue ? undefined : hintFor(expectation, response, context)
  return { rule, outcome: 'failed', message: message + (hint === undefined ? '' : ` (${hint})`), ...rest }
}

/** Nothing that is declared of a service explains that it fails. */
const FAILED = 'the service itself failed: look into its log'

/** Most often from `http` to `https`. The specification names one address, so no redirect is followed. */
const REDIRECTED = 'no redirect is followed: declare the base URL that `Location` leads to'

function hintFor(
  expectation: Expectation,
  response: HttpResponse,
  context: JudgeContext,
): string | undefined {
  const { hint, hintIfOtherCase, hintUnlessError } = expectation
  if (response.yieldsToken && isPasswordInOtherCase(context.grantType)) return undefined
  if (hintIfOtherCase && !isDeclaredInOtherCase(expectation, response, context)) return undefined
  if (hint !== undefined && response.status >= 500) return FAILED
  if (hint !== undefined && expectation.yieldsToken && isRedirect(response)) return REDIRECTED
  const isUnless = hintUnlessError !== undefined && textIn(response, 'error') === hintUnlessError
  return isUnless ? undefined : hint
}

/** Another user's name is no other spelling of this one, and the name of an account that the suite registered is right. */
function isDeclaredInOtherCase(
  { member }: Expectation,
  response: HttpResponse,
  { resolve, deployment: { accounts = [] } }: JudgeContext,
): boolean {
  const answered = member && textIn(response, member.name)
  const expected = resolve(member?.equals ?? '')
  return (
    accounts.some(({ userName }) => userName === expected) &&
    answered?.toLowerCase() === expected?.toLowerCase()
  )
}

function isRedirect(response: HttpResponse): boolean {
  return response.status >= 300 && response.status <= 399 && response.header('location') !== undefined
}

/** An answer that the rules of section 2.1 are judged of. */
function isSuccess(response: HttpResponse): boolean {
  return response.yieldsToken || (response.status >= 200 && response.status <= 299)
}

function isRejection(response: HttpResponse | undefined, { registration }: JudgeContext): boolean {
  if (response === undefined || registration === undefined) return false
  return classifyRegistration(response, registration) === 'rejected'
}

/** The value behind a `$reference` of an expectation; undefined where the target does not declare it. */
export function resolveReference(
  text: string,
  deployment: Pick<Deployment, 'tokenLifetime'>,
  account: Account | undefined,
): string | undefined {
  switch (text) {
    case '$target.tokenLifetime':
      return String(deployment.tokenLifetime)
    case '$account.userName':
      return account?.userName
    case '$account.userId':
      return account?.userId
    default:
      return text
  }
}
