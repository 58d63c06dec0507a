import type { Behaviour } from './behaviour.js'
import type { Clock } from './clock.js'
import type { ExternalLogins } from './external-login.js'
import type { Answer } from './http/answer.js'
import type { ReceivedRequest } from './http/received-request.js'
import type { PasswordHasher } from './password-hash.js'
import type { AccountPolicy } from './policy.js'
import type { Provider } from './provider/code-flow.js'
import type { Refusal } from './refusal.js'
import type { AccountStore } from './store.js'
import type { IssuedToken, TokenStore } from './tokens.js'
import type { WorkQueue } from './work-queue.js'

/** What may be changed while a server runs. */
export interface ChangeableSettings {
  /** Seconds. */
  readonly tokenLifetime: number
  readonly includesUserId: boolean
  readonly policy: AccountPolicy
}

/** What the routes need to know of the configuration. */
export interface Settings extends ChangeableSettings {
  /** No trailing slash. */
  readonly basePath: string
}

/** What a reset replaces. */
export interface State {
  readonly accounts: AccountStore
  readonly tokens: TokenStore
}

/** What the routes share. */
export interface Service {
  /** As they are now: a test may change them. */
  readonly settings: Settings
  readonly behaviour: Behaviour
  readonly clock: Clock
  readonly hasher: PasswordHasher
  /** Every hash computation goes through it. */
  readonly hashing: WorkQueue
  /** By name. */
  readonly providers: ReadonlyMap<string, Provider>
  readonly externalLogins: ExternalLogins
  /** Every sign-in at a provider goes through it. */
  readonly signingIn: WorkQueue
  /** Taken once per request, so that one request sees one state. */
  readonly state: () => State
}

/** What a route makes of a request. */
export interface Reply {
  readonly answer: Answer
  /** Present where no token, account or other success came of it. */
  readonly refusal?: Refusal
  /** Of an account that was not registered: what its client is told. */
  readonly errors?: readonly string[]
  /** Present where a token came of it. */
  readonly issued?: IssuedToken
}

/** One endpoint: `undefined` where the request is not for it. */
export type Route = (request: ReceivedRequest) => Reply | Promise<Reply> | undefined
