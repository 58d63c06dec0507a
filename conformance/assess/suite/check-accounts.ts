import { inParallel } from '../../../spec/model/items.js'
import { plainLogin, registeredAccount } from '../../drivers/send/session/control.js'
import type { ControlResult, Session } from '../../drivers/send/session/session.js'
import { troubleOf } from '../../drivers/send/session/trouble.js'
import { cut, describeBody } from '../../evidence/describe.js'
import { hideSecretMembers } from '../../evidence/hidden-fields.js'
import type { FailureKind } from '../../exchange/exchange.js'
import { HttpResponse, textIn } from '../../exchange/http-response.js'
import { shownName } from '../../target/account-binding.js'
import type { Account } from '../../target/deployment.js'

const UNREACHABLE: readonly FailureKind[] = ['refused', 'tls', 'reset', 'timeout']
/** Other answers are no refusal of the account, and are judged. */
const REFUSALS: readonly number[] = [400, 401, 403]

/** Why nothing of a deployment can be judged, and the login that shows it. */
export interface Obstacle {
  readonly reason: string
  readonly login: ControlResult
}

/**
 * Signs in once with every declared account. One that is refused is not tried again by hundreds of requests: that would
 * be hundreds of failed logins.
 * @returns an obstacle where the service cannot be reached or neither the main account nor another can sign in: nothing else is tried then
 */
export async function checkAccounts(session: Session): Promise<Obstacle | undefined> {
  const { accounts, shownBaseUrl } = session.deployment
  const [main, ...others] = accounts
  // The main one first: where it cannot be reached, nothing more is sent.
  const login = main && (await plainLogin(session, 'control', main))
  if (login === undefined) return undefined
  session.signedIn = login.problem === undefined
  const { response, failure } = login.sent.exchange
  if (failure !== undefined && UNREACHABLE.includes(failure.kind))
    return { reason: `cannot reach ${shownBaseUrl}: ${failure.message}`, login }
  if (failure?.kind === 'rate-limited')
    return { reason: `${cannotSignIn(main, shownBaseUrl)}: ${failure.message}`, login }
  const isRefused = login.problem !== undefined && response !== undefined
  const refusal =
    isRefused && REFUSALS.includes(response.status) && !(await newAccountIsRefused(session))
      ? { reason: explainRefusal(main, login, session), login }
      : undefined
  const logins = await inParallel(others, session.run.limit.width, (account) =>
    plainLogin(session, 'control', account),
  )
  for (const [index, one] of [login, ...logins].entries()) {
    const account = accounts[index]
    if (account !== undefined && one?.problem !== undefined && one.sent.exchange.response !== undefined)
      session.refusedAccounts.set(account.userName, one)
  }
  // Where only one account is refused, that is judged.
  return [login, ...logins].some((one) => one?.problem === undefined) ? undefined : refusal
}

/** Why the declared account at this place is refused. Undefined where it is not, or where that is for the judge to say. */
export function refusalOf(session: Session, place: number): string | undefined {
  const account = session.deployment.accounts[place]
  const login = account && session.refusedAccounts.get(account.userName)
  const status = login?.sent.exchange.response?.status ?? 0
  return account && login && REFUSALS.includes(status) ? explainRefusal(account, login, session) : undefined
}

/** Of an account that was just registered the password is known for certain: where it is refused too, the service is wrong. */
async function newAccountIsRefused(session: Session): Promise<boolean> {
  const account = await registeredAccount(session)
  const login = account && (await plainLogin(session, 'control', account))
  return (
    login?.problem !== undefined &&
    login.sent.response instanceof HttpResponse &&
    troubleOf(login.sent) === undefined
  )
}

function cannotSignIn(account: Account, shownBaseUrl: string): string {
  return `cannot sign in as ${shownName(account).shown} at ${shownBaseUrl}`
}

function explainRefusal(
  account: Account,
  { sent: { response, exchange } }: ControlResult,
  { run, deployment }: Session,
): string {
  const answer =
    response instanceof HttpResponse
      ? `${response.status}, ${cut(hideSecretMembers(run.redactor.text(describeBody(response))))}`
      : `${exchange.response?.status}, ${response.reason}`
  const { variable, isTyped } = account
  const place =
    variable === undefined
      ? '`TOKEN_ASSAY_PASSWORD`, or `$' + '{NAME}` in the target file'
      : `\`${variable}\``
  const remedy = isTyped ? ', and type its password again' : ` and that its password is right: ${place}`
  const isOfGrant = response instanceof HttpResponse && textIn(response, 'error') === 'unsupported_grant_type'
  // A service may refuse any login so, but few do.
  const reading = isOfGrant
    ? 'Check that the service reads the form of the request and its `grant_type`, then'
    : 'Check'
  const { password } = account
  // A file or a secret store may end it with a line end.
  const note = password === password.trim() ? '' : ' The password begins or ends with white space.'
  return (
    `${cannotSignIn(account, deployment.shownBaseUrl)}: the service refuses the plain login (${answer}). ` +
    `${reading} that the account exists${remedy}.${note}`
  )
}
