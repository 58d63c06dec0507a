import { loadSpecification } from '../../../spec/load/specification.js'
import type { Expectation } from '../../../spec/model/expectation.js'
import { pointerTo } from '../../../spec/model/json.js'
import type { Judgement } from '../../../spec/model/report.js'
import { HttpResponse, type ResponseOrReason, textIn } from '../../exchange/http-response.js'
import { isForgiven } from '../../target/forgiven-password.js'
import { unmetCondition } from '../../target/unmet-condition.js'
import { judge, resolveReference } from '../judge.js'
import type { DeclaredService } from './declared.js'
import type { CaseId, Exercised } from './exercised.js'
import type { ObservedGrant } from './seen-secrets.js'

/** What went by before: of some rules one answer alone shows nothing. */
export interface EarlierAnswers {
  /** The last answer to the request of 4.1-R1. */
  readonly emptyJson: HttpResponse | undefined
  /** Whether a grant with right credentials met a server error before. */
  readonly hasFailedGrant: boolean
}

export interface JudgedCase {
  readonly case: CaseId
  /** One for each expectation of the case, in their order. */
  readonly judgements: readonly Judgement[]
}

/** The answer to a token request by every case of the suite that it is an instance of. Pure, but for what is remembered. */
export function judgeAnswer(
  exercised: Exercised,
  response: ResponseOrReason,
  declared: DeclaredService,
  memory: EarlierAnswers,
  strict: boolean,
): readonly JudgedCase[] {
  const cases = new Set<CaseId>()
  const isSpelledLogin = exercised.isSpelled === true && exercised.case === '4.1/password-grant'
  if (isSpelledLogin) cases.add('4.1/content-type-spelling')
  if (exercised.case !== undefined && !isSilent(exercised, isSpelledLogin, response))
    cases.add(exercised.case)
  if (isTokenResponse(exercised, response)) cases.add('2.1/token-response')
  return [...cases].map((id) => ({
    case: id,
    judgements: expectationsOf(id).map((expectation) =>
      judgeOne(expectation, exercised, response, declared, memory, strict),
    ),
  }))
}

/** A refusal may be about the spelling alone, and a grant of a password that may be forgiven breaks nothing. */
function isSilent(
  { case: id, account, password = '' }: Exercised,
  isSpelledLogin: boolean,
  response: ResponseOrReason,
): boolean {
  if (isSpelledLogin) return isRefusal(response)
  return (
    response.yieldsToken === true &&
    id === '4.1/wrong-password' &&
    isForgiven(password, account?.password ?? '')
  )
}

function isRefusal(response: ResponseOrReason): boolean {
  return response instanceof HttpResponse && !response.yieldsToken
}

/** Whether section 2.1 speaks of it. A refusal is none: nothing says that credentials which are not declared are right. */
function isTokenResponse(
  { isGrant, isOther, account, password }: Exercised,
  response: ResponseOrReason,
): boolean {
  // Whatever the request was, and to whichever spelling of the path.
  if (response.yieldsToken) return isOther !== true
  if (!isGrant) return false
  if (!(response instanceof HttpResponse)) return true
  const isSuccess = response.status >= 200 && response.status <= 299
  return isSuccess && (account === undefined || account.password === password)
}

function judgeOne(
  expectation: Expectation,
  exercised: Exercised,
  response: ResponseOrReason,
  declared: DeclaredService,
  memory: EarlierAnswers,
  strict: boolean,
): Judgement {
  const { isGrant, account, grantType } = exercised
  const { rule } = expectation
  // What a token response says is judged whatever its status.
  const isContent = response.yieldsToken && rule.startsWith('2.1-')
  const unstable =
    isFailedGrant(exercised, response) && !memory.hasFailedGrant && !isContent
      ? 'the service answered a right request with a server error, once so far'
      : troubleOf(response)
  if (unstable !== undefined) return { rule, outcome: 'cantTell', reason: unstable }
  if (isGrant && account === undefined && response instanceof HttpResponse && !response.yieldsToken)
    return {
      rule,
      outcome: 'cantTell',
      reason:
        'the answer yields no token, and whether the credentials are right is not known: declare the account',
    }
  const isAlone = expectation.sameAnswerAs !== undefined && memory.emptyJson === undefined
  if (isAlone && !response.yieldsToken)
    return { rule, outcome: 'inapplicable', reason: 'no request of 4.1-R1 went by, to compare with' }
  if (rule === '2.1-userName' && isNameOfAnother(exercised, response, declared))
    return {
      rule,
      outcome: 'failed',
      message: '`userName` is that of an account whose password was not sent',
      expected: 'the user name of the account that signed in',
      actual: textIn(response, 'userName') ?? '',
      pointer: pointerTo('', 'userName'),
    }
  // No token is the answer of 4.1-R1.
  return judge(isAlone ? { rule, yieldsToken: false } : expectation, response, {
    deployment: declared,
    responseOf: () => memory.emptyJson,
    grantType,
    unmet: (condition) => unmetCondition(condition, declared, strict),
    resolve: (text) => resolveReference(text, declared, account),
  })
}

/** Whether an account that is not declared is answered with the name of one that is, and that has another password. */
function isNameOfAnother(
  { isGrant, account, password }: Exercised,
  response: ResponseOrReason,
  { accounts }: DeclaredService,
): boolean {
  if (!isGrant || account !== undefined) return false
  const named = accounts.find(({ userName }) => userName === textIn(response, 'userName'))
  return named !== undefined && named.password !== password
}

/** Such as the first request after a cold start: only an error that recurs breaks a rule. */
export function isFailedGrant({ case: id }: Exercised, response: ResponseOrReason): boolean {
  return id === '4.1/password-grant' && response instanceof HttpResponse && response.status >= 500
}

/** A service that is overloaded or restarts breaks no rule by it. */
function troubleOf(response: ResponseOrReason): string | undefined {
  if (!(response instanceof HttpResponse) || response.yieldsToken) return undefined
  const { status } = response
  return [417, 429, 502, 503, 504].includes(status)
    ? `the service answered ${status}: it is limited, or not there`
    : undefined
}

let expectations: ReadonlyMap<string, readonly Expectation[]> | undefined

/** What the suite expects of the last request of a case; of the others its `run` makes sure before. */
export function expectationsOf(id: CaseId): readonly Expectation[] {
  expectations ??= new Map(loadSpecification().cases.map((one) => [one.id, one.steps.at(-1)?.expect ?? []]))
  return expectations.get(id) ?? []
}

/**
 * A token that two accounts were given (2.1-access_token). Two spellings of one name are one account, and so are two names
 * that the service answers with one.
 */
export function judgeToken(
  token: string,
  grant: ObservedGrant,
  earlier: ObservedGrant | undefined,
): Judgement | undefined {
  if (earlier === undefined || token === '') return undefined
  if (earlier.userName === grant.userName || earlier.answeredName === grant.answeredName) return undefined
  return {
    rule: '2.1-access_token',
    outcome: 'failed',
    message: 'a token was given to two accounts',
    expected: 'another one for each account',
    actual: 'one that another account was given before',
    pointer: pointerTo('', 'access_token'),
  }
}
