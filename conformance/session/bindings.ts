import type { Case } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import { accountBinding } from '../generators/accounts.js'
import type { Binding, Scope } from '../generators/generator.js'
import { type Candidate, freshAccount } from './fresh-account.js'
import type { Session } from './session.js'
import type { Bindings } from './template.js'

export function scopeOf(session: Session, caseId: string, account: Account): Scope {
  const { deployment } = session
  const known = deployment.accounts.some(({ userName }) => userName === account.userName)
  return {
    deployment: {
      accounts: known ? deployment.accounts : [...deployment.accounts, account],
      additionalGrantTypes: deployment.additionalGrantTypes,
    },
    account,
    runNonce: session.runNonce,
    ...(deployment.registration === undefined
      ? {}
      : {
          policy: deployment.registration.policy,
          emailDomain: deployment.registration.emailDomain,
          unique: () => freshBinding(session, caseId).userName,
        }),
  }
}

/**
 * What every case may refer to: `$account`; `$other`, another declared account where there is one; and where accounts can
 * be registered, the data of two new ones, `$fresh` and `$second`.
 */
export function baseBindings(
  session: Session,
  subject: Pick<Case, 'id'> & Partial<Pick<Case, 'steps'>>,
  account: Account,
): Bindings {
  const { deployment } = session
  const other = deployment.accounts.find(({ userName }) => userName !== account.userName) ?? account
  return {
    account: accountBinding(account, { deployment }),
    other: accountBinding(other, { deployment }),
    ...(deployment.registration === undefined || !registers(subject)
      ? {}
      : { fresh: freshBinding(session, subject.id), second: freshBinding(session, subject.id) }),
  }
}

/** Making up an account costs more than a request: it is left to the cases that register one. */
function registers({ steps }: Partial<Pick<Case, 'steps'>>): boolean {
  return steps?.some(({ send: template }) => template === undefined) ?? true
}

export function freshBinding(session: Session, caseId: string): Candidate & Binding {
  const { deployment, runNonce } = session
  const { policy, emailDomain } = deployment.registration ?? {}
  if (policy === undefined || emailDomain === undefined) throw new TypeError('registration is not declared')
  const key = `${deployment.name}/${caseId}/${session.count(caseId)}`
  return { ...freshAccount(key, runNonce, policy, emailDomain) }
}
