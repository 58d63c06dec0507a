import type { Case, RequestTemplate } from '../../spec/types.js'
import { registrationOutcome } from '../checks/registration.js'
import type { Account } from '../deployment.js'
import { Answer } from '../wire/answer.js'
import { baseBindings } from './bindings.js'
import { register } from './send-step.js'
import { type Session, send } from './session.js'

/**
 * The account that a case uses: the main one, or one to throw away. That is a new one where accounts can be registered
 * and log in at once, so that nothing that happens to it matters; else the last declared.
 */
export async function caseAccount(session: Session, subject: Pick<Case, 'id' | 'account'>): Promise<Account> {
  const { accounts, registration } = session.deployment
  if (subject.account !== 'throwaway') return accounts[0]
  const last = accounts.at(-1) ?? accounts[0]
  if (!registration?.immediate) return last
  const bindings = baseBindings(session, { id: subject.id }, last)
  const { answer, candidate } = await register(session, subject.id, 'set-up', {}, bindings)
  const accepted = answer instanceof Answer && registrationOutcome(answer, registration) === 'accepted'
  if (!accepted || candidate === undefined) return last
  const made: Account = { userName: candidate.userName.wire, password: candidate.password.wire }
  // 8-R1 says what it is when an accepted account cannot log in; the other rules are judged all the same.
  const login = await send(session, subject.id, 'set-up', LOGIN, {
    bindings: { ...candidate },
    account: made,
  })
  return login.answer instanceof Answer && login.answer.yieldsToken ? made : last
}

const LOGIN: RequestTemplate = {
  form: { grant_type: 'password', username: '$userName', password: '$password' },
}
