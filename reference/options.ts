import { type Behaviour, specifiedBehaviour } from './behaviour.js'
import { type Clock, createClock } from './clock.js'
import type { LogSink } from './log.js'
import type { Hashing } from './password-hash.js'

/** An account that the server starts with. */
export interface SeedAccount {
  readonly userName: string
  readonly password: string
  /** Default: a UUID. */
  readonly userId?: string
}

/** How a reference server is started; everything has a default. */
export interface ReferenceServerOptions {
  readonly accounts?: readonly SeedAccount[]
  /** Seconds, at least 1. Default 1,209,600: 14 days (8-R3). */
  readonly tokenLifetime?: number
  /** Whether a token response carries `userId` (2.1). Default `false`. */
  readonly includesUserId?: boolean
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
  /** Decisions to be made otherwise than the specification asks. */
  readonly behaviour?: Partial<Behaviour>
  readonly clock?: Clock
  /** Receives structured lines without secrets. Default: none. */
  readonly log?: LogSink
}

/** The options with every default filled in. */
export type FullOptions = Required<Omit<ReferenceServerOptions, 'behaviour' | 'log'>> & {
  readonly behaviour: Behaviour
  readonly log: LogSink
}

/** No expiry date may leave the years with four digits; 100 years are enough for anybody. */
const longestLifetime = 3_155_760_000

/**
 * Fills in the defaults.
 * @throws TypeError or RangeError naming the option that is not usable.
 */
export function completeOptions(options: ReferenceServerOptions): FullOptions {
  return {
    accounts: checkAccounts(options.accounts ?? []),
    tokenLifetime: checkInteger('tokenLifetime', options.tokenLifetime ?? 1_209_600, 1, longestLifetime),
    includesUserId: options.includesUserId ?? false,
    hashing: checkHashing(options.hashing ?? 'argon2id'),
    host: options.host ?? '127.0.0.1',
    port: checkInteger('port', options.port ?? 0, 0, 65_535),
    basePath: checkBasePath(options.basePath ?? ''),
    bodyLimitBytes: checkInteger('bodyLimitBytes', options.bodyLimitBytes ?? 65_536, 1, 2 ** 30),
    requestTimeoutMs: checkInteger('requestTimeoutMs', options.requestTimeoutMs ?? 30_000, 1, 2 ** 31 - 1),
    headersTimeoutMs: checkInteger('headersTimeoutMs', options.headersTimeoutMs ?? 10_000, 1, 2 ** 31 - 1),
    behaviour: { ...specifiedBehaviour, ...options.behaviour },
    clock: options.clock ?? createClock(),
    log: options.log ?? (() => undefined),
  }
}

function checkInteger(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new RangeError(`${name} must be an integer from ${least} to ${most}`)
}

function checkHashing(hashing: string): Hashing {
  if (hashing === 'argon2id' || hashing === 'fast') return hashing
  throw new TypeError("hashing must be 'argon2id' or 'fast'")
}

function checkBasePath(basePath: string): string {
  const trimmed = basePath.replace(/\/$/, '')
  if (/^(\/[\w.~!$&'()*+,;=:@%-]+)*$/.test(trimmed)) return trimmed
  throw new TypeError('basePath must be a URL path such as /auth')
}

function checkAccounts(accounts: readonly SeedAccount[]): readonly SeedAccount[] {
  const userNames = new Set<string>()
  accounts.forEach(({ userName, password, userId }, index) => {
    if (typeof userName !== 'string' || userName === '' || typeof password !== 'string' || password === '') {
      throw new TypeError(`accounts[${index}] needs a userName and a password`)
    }
    if (userId === '') throw new TypeError(`accounts[${index}].userId must not be empty`)
    if (userNames.has(userName)) throw new TypeError(`accounts[${index}] repeats the userName ${userName}`)
    userNames.add(userName)
  })
  return accounts
}
