import type { Behaviour } from '../behaviour.js'
import type { AccountPolicy } from '../policy.js'
import type { Service } from '../service.js'
import type { AccountStore } from '../store/accounts.js'

/** What a registration asks for. */
export interface NewAccount {
  readonly userName: string
  readonly email?: string
  readonly password: string
}

/** Longer ones are no names or addresses (RFC 5321 4.5.3.1) and would only fill the store. */
const longestUserName = 256
const longestEmail = 320

/** Every reason not to register an account, in the order in which they are listed; none: it may be stored (8-R1). */
export function registrationErrors(
  { behaviour, settings }: Service,
  accounts: AccountStore,
  { userName, email, password }: NewAccount,
): readonly string[] {
  const rules: Rules = { behaviour, policy: behaviour.policyInForce(settings.policy), accounts }
  return [
    ...passwordErrors(password, rules),
    ...userNameErrors(userName, rules),
    ...emailErrors(email, rules),
  ]
}

interface Rules {
  readonly behaviour: Behaviour
  readonly policy: AccountPolicy
  readonly accounts: AccountStore
}

function passwordErrors(password: string, { behaviour, policy }: Rules): readonly string[] {
  const reported = behaviour.reportedRules(behaviour.violatedRules(password, policy), policy)
  return reported.map((rule) => behaviour.ruleMessage(rule, policy))
}

function userNameErrors(userName: string, { behaviour, policy, accounts }: Rules): readonly string[] {
  if (userName === '') return ['Name cannot be null or empty.']
  if (userName.length > longestUserName) return ['The user name is too long.']
  if (!behaviour.allowsUserName(userName, policy))
    return [`User name ${userName} is invalid, can only contain letters or digits.`]
  const taken = behaviour.mustBeUnique('userName', policy) && accounts.has({ userName })
  return taken ? [`Name ${userName} is already taken.`] : []
}

function emailErrors(email: string | undefined, { behaviour, policy, accounts }: Rules): readonly string[] {
  if (email !== undefined && email.length > longestEmail) return ['The e-mail address is too long.']
  if (!behaviour.mustBeUnique('email', policy)) return []
  if (email === undefined) return ['Email cannot be null or empty.']
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || !behaviour.allowsEmail(email))
    return [`Email '${email}' is invalid.`]
  return accounts.has({ email }) ? [`Email '${email}' is already taken.`] : []
}
