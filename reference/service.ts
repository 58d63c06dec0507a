import type { Behaviour } from './behaviour.js'
import type { Clock } from './clock.js'
import type { Provider } from './external-login/code-flow.js'
import type { ExternalLogins } from './external-login/external-logins.js'
import type { Answer } from './http/answer.js'
import type { ReceivedRequest } from './http/received-request.js'
import type { IssuedToken } from './issued-token.js'
import type { RefreshTokenOptions } from './refresh-tokens.js'
import type { Refusal } from './refusal.js'
import type { AccountStore } from './store/accounts.js'
import type { PasswordHasher } from './store/password-hash.js'
import type { Settings } from './store/settings.js'
import type { TokenState } from './store/tokens.js'
import type { WorkQueue } from './store/work-queue.js'

/** What a reset replaces. */
export interface StoreState extends TokenState {
  readonly accounts: AccountStore
}

/** What the routes share. */
export interface Service {
  /** As they are now: a test may change them. */
  readonly settings: Settings
  readonly behaviour: Behaviour
  /** `undefined`: tokens cannot be refreshed. */
  readonly refreshTokens: Required<RefreshTokenOptions> | undefined
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
  readonly state: () => StoreState
}

/** What a route makes of a request. */
export interface Reply {
  readonly answer: Answer
  /** Present where no token, account or other success came of it. */
  readonly refusal?: Refusal
  /** Of an account that was not registered: what its client reads. Of a hook that failed, or a preflight: why. */
  readonly errors?: readonly string[]
  /** Whose request it was, where its token tells. */
  readonly userName?: string
  /** Present where a token came of it. */
  readonly issued?: IssuedToken
  /** The hooks that made the answer of another one, and that one. */
  readonly rewritten?: { readonly hooks: readonly string[]; readonly service: Answer }
  /** The path of the control plane's endpoint as it is written: `/accounts/:userName`. */
  readonly endpoint?: string
}

/** One endpoint, as Polka's router takes it. */
export interface Route {
  /** Default: every one. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Of the raw path, with a named group for each parameter. Default: every path. */
  readonly path?: RegExp
  /** `undefined` where the request is not for it after all. */
  readonly answer: (request: ReceivedRequest, client: RouteContext) => Reply | Promise<Reply> | undefined
}

/** Who asks, as the router sees it. */
export interface RouteContext {
  /** The groups of the route's path, decoded where they can be. */
  readonly params: Readonly<Record<string, string>>
  /** Aborted, with the reason, when the client can no longer be answered, or has ended its side. */
  readonly gone: (reason: Error) => AbortSignal
}

/**
 * A path as it is written, where each segment like `:name` is a parameter. Polka's own patterns match in any case and with a
 * slash at the end; an expression is exact (4.1-path).
 */
export function matching(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? `(?<${segment.slice(1)}>[^/]+)` : escaped(segment)))
  return new RegExp(`^${segments.join('/')}$`)
}

/** Exactly this path: one that is configured may hold any character. */
export function literally(path: string): RegExp {
  return new RegExp(`^${escaped(path)}$`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
