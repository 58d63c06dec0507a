import { plainLogin, registeredAccount } from '../../drivers/send/session/control.js'
import type { ControlResult, Session } from '../../drivers/send/session/session.js'
import { troubleOf } from '../../drivers/send/session/trouble.js'
import { cut, describeBody } from '../../evidence/describe.js'
import type { FailureKind } from '../../exchange/exchange.js'
import { HttpResponse } from '../../exchange/http-response.js'
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
  let refusal: Obstacle | undefined
  let signedIn = false
  for (const account of accounts) {
    const login = await plainLogin(session, 'control', account)
    if (login === undefined) return undefined
    const { response, failure } = login.sent.exchange
    const isMain = account === accounts[0]
    if (isMain) session.signedIn = login.problem === undefined
    if (isMain && failure !== undefined && UNREACHABLE.includes(failure.kind))
      return { reason: `cannot reach ${shownBaseUrl}: ${failure.message}`, login }
    if (isMain && failure?.kind === 'rate-limited')
      return { reason: `cannot sign in as ${shownName(account).shown}: ${failure.message}`, login }
    signedIn ||= login.problem === undefined
    if (login.problem === undefined || response === undefined) continue
    if (isMain && REFUSALS.includes(response.status) && !(await newAccountIsRefused(session)))
      refusal = { reason: explainRefusal(account, login), login }
    session.refusedAccounts.set(account.userName, login)
  }
  // Where only one account is refused, that is judged.
  return signedIn ? undefined : refusal
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

function explainRefusal(account: Account, { sent: { response, exchange } }: ControlResult): string {
  const answer =
    response instanceof HttpResponse
      ? `${response.status}, ${cut(describeBody(response))}`
      : `${exchange.response?.status}, ${response.reason}`
  const { variable } = account
  const place =
    variable === undefined
      ? '`TOKEN_ASSAY_PASSWORD`, or `$' + '{NAME}` in the target file'
      : `\`${variable}\``
  return (
    `cannot sign in as ${shownName(account).shown}: the service refuses the plain login (${answer}). ` +
    `Check that the account exists and that its password is right: ${place}.`
  )
}
