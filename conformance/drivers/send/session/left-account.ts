import type { LeftAccount } from '../../../../spec/model/report.js'
import { plain } from '../../../exchange/redactable-text.js'
import type { Candidate } from '../../../target/accounts/fresh-account.js'
import type { Deployment, TargetRequest } from '../../../target/deployment.js'
import type { AccountNews } from './run-context.js'
import type { Session } from './session.js'

/** What the request of `cleanUp` names an account by. */
export type Removable = Pick<Candidate, 'userName' | 'email' | 'password'>

export function tellAccount(
  { run, deployment }: Session,
  account: Removable,
  fate: AccountNews['fate'],
): void {
  run.onAccount?.({
    deployment: deployment.name,
    baseUrl: deployment.shownBaseUrl,
    hasCleanUp: deployment.registration?.cleanUp !== undefined,
    account: leftAccount(account, deployment),
    fate,
  })
}

/** Whether the request needs more than the names of an account. */
export function usesPassword(request: TargetRequest | undefined): boolean {
  return request !== undefined && JSON.stringify(request).includes('$password')
}

/** The account by its true name, as no secret: it is the suite's own. */
export function leftAccount(
  { userName, email, password }: Removable,
  { registration }: Deployment,
): LeftAccount {
  const { emailDomain = '', shownEmailDomain = emailDomain, cleanUp: request } = registration ?? {}
  return {
    userName: userName.wire,
    // Its domain may come from the environment.
    email: email.wire.replace(emailDomain, shownEmailDomain),
    ...(usesPassword(request) ? { password: password.wire } : {}),
  }
}

/** The other way round. */
export function toRemovable(
  { userName, email, password = '' }: LeftAccount,
  { registration }: Deployment,
): Removable {
  const { emailDomain = '', shownEmailDomain = emailDomain } = registration ?? {}
  return {
    userName: plain(userName),
    email: { wire: email.replace(shownEmailDomain, emailDomain), shown: email },
    password: plain(password),
  }
}
