import { LISTED_POLICY } from '../../spec/model/policy.js'
import type { SeedAccount } from '../account.js'
import type { Provider } from '../external-login/code-flow.js'
import type { AccountPolicy } from '../policy.js'
import type { RefreshTokenOptions } from '../refresh-tokens.js'
import type { TokenOptions } from '../signed-token.js'
import type { Hashing } from '../store/password-hash.js'

/** What a server keeps, and takes on, at the most; the oldest are forgotten beyond. */
export interface Limits {
  /** Registered accounts in a store; those of the start stay. Default 10,000. */
  readonly accounts: number
  /** Issued tokens in a store, for `bearerOf`. Default 10,000. */
  readonly tokens: number
  /** Exchanges in a store's journal; 0 keeps none. Default 1,000. */
  readonly journal: number
  /** Connections at a time; further ones are dropped. Default 2,048. */
  readonly connections: number
}

/** What a program and `server.yaml` may set alike, as `server-config.schema.json` has it; everything has a default. */
export interface ServerSettings {
  readonly accounts?: readonly SeedAccount[]
  /** Seconds, at least 1. Default 1,209,600: 14 days (8-R3). */
  readonly tokenLifetime?: number
  /** Whether a token response carries `userId` (2.1). Default `false`. */
  readonly includesUserId?: boolean
  /**
   * Paths below the base URL at which `GET` answers a token with its account, such as `/orders`; `true` is `/me`.
   * Default `false`: none.
   */
  readonly protectedResource?: boolean | readonly string[]
  /** Whether, and how, tokens are refreshed; `true` is all defaults. Default `false`. */
  readonly refreshTokens?: boolean | RefreshTokenOptions
  /** What tokens are made of. Default: they are opaque. */
  readonly tokens?: TokenOptions
  /** Of new accounts; what is left out has the value that section 8 lists. */
  readonly policy?: Partial<AccountPolicy>
  /** The outside identity providers through which users may sign in. Default: none. */
  readonly providers?: readonly Provider[]
  /** The time for a whole sign-in at a provider. Default 5,000. */
  readonly providerTimeoutMs?: number
  /** Default `argon2id`; `fast` is for tests alone. */
  readonly hashing?: Hashing
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: a free one. `serve`: 5000. */
  readonly port?: number
  /** A path that comes before `/Token`, such as `/auth`; one trailing slash is dropped. Default none. */
  readonly basePath?: string
  /** The base URL as clients reach it, where that is another one than the server knows. Default: its own. */
  readonly publicUrl?: string
  /** Longer bodies are answered 413. Default 65,536. */
  readonly bodyLimitBytes?: number
  /** The time for a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number
  /** The time for a request's headers to arrive. Default 10,000. */
  readonly headersTimeoutMs?: number
  /** How long requests in progress may take when the server stops. Default 2,000. */
  readonly graceMs?: number
  /** What is kept, and for how many at a time. */
  readonly limits?: Partial<Limits>
}

/** What suits a server that only tests or operators meet. */
export const listenerDefaults = {
  bodyLimitBytes: 65_536,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  graceMs: 2000,
} as const

/** The schema's, but for the port. */
export const defaultSettings = {
  ...listenerDefaults,
  accounts: [],
  tokenLifetime: 1_209_600,
  includesUserId: false,
  protectedResource: false,
  refreshTokens: false,
  tokens: { kind: 'opaque' },
  policy: LISTED_POLICY,
  providers: [],
  providerTimeoutMs: 5000,
  hashing: 'argon2id',
  host: '127.0.0.1',
  port: 0,
  basePath: '',
  limits: { accounts: 10_000, tokens: 10_000, journal: 1000, connections: 2048 },
} as const satisfies Required<Omit<ServerSettings, 'publicUrl'>>
