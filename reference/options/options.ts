import { type Behaviour, specifiedBehaviour } from '../behaviour.js'
import { type Clock, createClock } from '../clock.js'
import { type ControlOptions, checkControl } from '../control/control-options.js'
import { type CorsOrigins, checkOrigins, withCors } from '../http/cors.js'
import type { LogSink } from '../log.js'
import type { Hashing } from '../password-hash.js'
import { type AccountPolicy, listedPolicy } from '../policy.js'
import type { Provider } from '../provider/code-flow.js'
import type { SeedAccount } from '../seed-account.js'
import { checkTls, type TlsOptions } from '../tls/certificate.js'
import { checkAccounts } from './check-accounts.js'
import {
  checkBasePath,
  checkBoolean,
  checkHashing,
  checkHost,
  checkInteger,
  checkPolicy,
  checkProviders,
  longestLifetime,
  refuseUnknown,
} from './check-options.js'
import { checkLimits, type Limits } from './limits.js'

/** How a reference server is started; everything has a default. */
export interface ReferenceServerOptions {
  readonly accounts?: readonly SeedAccount[]
  /** Seconds, at least 1. Default 1,209,600: 14 days (8-R3). */
  readonly tokenLifetime?: number
  /** Whether a token response carries `userId` (2.1). Default `false`. */
  readonly includesUserId?: boolean
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
  /** Default 0: a free one. */
  readonly port?: number
  /** A path that comes before `/Token`, such as `/auth`; one trailing slash is dropped. Default none. */
  readonly basePath?: string
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
  /** Default: plain HTTP. */
  readonly tls?: TlsOptions
  /** Default: no page of another origin may read an answer. */
  readonly cors?: { readonly origins: CorsOrigins }
  /** Opens the same methods that this server has to other processes. Default: none. */
  readonly control?: ControlOptions | undefined
  /** Decisions to be made otherwise than the specification asks. */
  readonly behaviour?: Partial<Behaviour>
  readonly clock?: Clock
  /** Receives structured lines without secrets. Default: none. */
  readonly log?: LogSink
}

/** The options with every default filled in. */
export type FullOptions = Required<
  Omit<ReferenceServerOptions, 'behaviour' | 'log' | 'policy' | 'limits' | 'tls' | 'cors' | 'control'>
> & {
  readonly policy: AccountPolicy
  readonly limits: Limits
  readonly tls: TlsOptions | undefined
  readonly cors: CorsOrigins | undefined
  readonly control: ControlOptions | undefined
  readonly behaviour: Behaviour
  readonly log: LogSink
}

/**
 * Fills in the defaults.
 * @throws TypeError or RangeError naming the option that is not usable.
 */
export function completeOptions(options: ReferenceServerOptions): FullOptions {
  const behaviour = { ...specifiedBehaviour, ...options.behaviour }
  const cors = options.cors === undefined ? undefined : checkOrigins(options.cors?.origins)
  const full = {
    accounts: checkAccounts(options.accounts ?? []),
    tokenLifetime: checkInteger('tokenLifetime', options.tokenLifetime ?? 1_209_600, 1, longestLifetime),
    includesUserId: checkBoolean('includesUserId', options.includesUserId ?? false),
    policy: checkPolicy({ ...listedPolicy, ...options.policy }),
    providers: checkProviders(options.providers ?? []),
    providerTimeoutMs: checkInteger('providerTimeoutMs', options.providerTimeoutMs ?? 5000, 1, 2 ** 31 - 1),
    hashing: checkHashing(options.hashing ?? 'argon2id'),
    host: checkHost('host', options.host ?? '127.0.0.1'),
    port: checkInteger('port', options.port ?? 0, 0, 65_535),
    basePath: checkBasePath(options.basePath ?? ''),
    bodyLimitBytes: checkInteger('bodyLimitBytes', options.bodyLimitBytes ?? 65_536, 1, 2 ** 30),
    requestTimeoutMs: checkInteger('requestTimeoutMs', options.requestTimeoutMs ?? 30_000, 1, 2 ** 31 - 1),
    headersTimeoutMs: checkInteger('headersTimeoutMs', options.headersTimeoutMs ?? 10_000, 1, 2 ** 31 - 1),
    graceMs: checkInteger('graceMs', options.graceMs ?? 2000, 0, 2 ** 31 - 1),
    limits: checkLimits(options.limits ?? {}),
    tls: checkTls(options.tls),
    cors,
    control: checkControl(options.control),
    behaviour: cors === undefined ? behaviour : withCors(behaviour, cors),
    clock: options.clock ?? createClock(),
    log: options.log ?? (() => undefined),
  }
  refuseUnknown('startReferenceServer', options, Object.keys(full))
  refuseUnknown('policy', options.policy ?? {}, Object.keys(listedPolicy))
  return full
}
