import type { Json } from '../spec/model/json.js'
import {
  type AccountPolicy,
  allowsUserName,
  type PasswordRule,
  ruleMessage,
  violatedRules,
} from './policy.js'
import type { Bearer } from './token-response.js'

/** What may be given to one account alone. */
export type Unique = 'userName' | 'email'

/** Of a JSON object from a client; nothing is known of the values. */
type Members = Readonly<Record<string, unknown>>

/** The decisions about new accounts (8), a part of the behaviour record. */
export interface RegistrationBehaviour {
  /** After the base path. */
  readonly registrationPath: () => string
  /** The new account in the members of the body. */
  readonly newAccount: (members: Members) => Members
  /** The policy that is enforced, of the one that is configured. */
  readonly policyInForce: (configured: AccountPolicy) => AccountPolicy
  readonly violatedRules: (password: string, policy: AccountPolicy) => readonly PasswordRule[]
  /** The rules that the answer speaks of, of those that were violated. */
  readonly reportedRules: (
    violated: readonly PasswordRule[],
    policy: AccountPolicy,
  ) => readonly PasswordRule[]
  readonly ruleMessage: (rule: PasswordRule, policy: AccountPolicy) => string
  readonly allowsUserName: (userName: string, policy: AccountPolicy) => boolean
  /** Whether an address that has a local part and a domain is taken. */
  readonly allowsEmail: (email: string) => boolean
  /** E-mail addresses with the same key are one. */
  readonly emailKey: (email: string) => string
  readonly mustBeUnique: (what: Unique, policy: AccountPolicy) => boolean
  /** Whether a name or an address is taken from the first look on, or only when its account is stored. */
  readonly reserves: (what: Unique) => boolean
  /** What a new account that was checked waits for before it is stored, beside its hash. */
  readonly beforeStoring: () => Promise<unknown> | undefined
  /** Whether the account is stored, given every error that was found. */
  readonly storesAccount: (errors: readonly string[]) => boolean
  /** Whether the answer says that it was. */
  readonly reportsSuccess: (errors: readonly string[]) => boolean
  readonly registeredStatus: () => number
  readonly registeredBody: (bearer: Bearer) => Json
  readonly rejectedStatus: (errors: readonly string[]) => number
  readonly rejectedBody: (errors: readonly string[]) => Json
  /** Both answers' text. */
  readonly renderRegistration: (body: Json) => string
  readonly registrationMediaType: () => string
}

const none = (errors: readonly string[]): boolean => errors.length === 0

export const specifiedRegistration: RegistrationBehaviour = {
  registrationPath: () => '/accounts',
  newAccount: (members) => members,
  policyInForce: (configured) => configured,
  violatedRules,
  reportedRules: (violated) => violated,
  ruleMessage,
  allowsUserName,
  allowsEmail: () => true,
  emailKey: (email) => email,
  mustBeUnique: (what, policy) => what === 'userName' || policy.uniqueEmail,
  reserves: () => true,
  beforeStoring: () => undefined,
  storesAccount: none,
  reportsSuccess: none,
  registeredStatus: () => 201,
  registeredBody: ({ userName, userId }) => ({ userName, userId }),
  rejectedStatus: () => 400,
  rejectedBody: (errors) => ({ errors }),
  renderRegistration: (body) => JSON.stringify(body),
  registrationMediaType: () => 'application/json;charset=UTF-8',
}
