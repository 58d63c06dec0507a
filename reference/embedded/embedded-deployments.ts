import { LISTED_POLICY, type Policy } from '../../spec/model/policy.js'

/** How one deployment of the embedded server is configured. */
export interface EmbeddedSettings {
  readonly policy: Policy
  readonly includesUserId: boolean
  /** Seconds. */
  readonly tokenLifetime: number
  readonly hashing: 'fast' | 'argon2id'
  /** A new account can log in at once, or is declared not to. */
  readonly immediate?: boolean
  /** The runs of each property-based case here, as a share of `--runs`. */
  readonly runsShare: number
  /** Patterns over the ids of the cases that depend on what sets this one apart; absent: all. */
  readonly cases?: readonly string[]
}

/** 14 days, the default; an hour. */
const LONG = 1_209_600
const SHORT = 3600

/** The default shows each rule; the others show under other settings what depends on these. */
const AS_LISTED: EmbeddedSettings = {
  policy: LISTED_POLICY,
  includesUserId: false,
  tokenLifetime: LONG,
  hashing: 'fast',
  // The known near misses are fixed, and all tried; what is drawn beside them has been drawn against this server before.
  runsShare: 0.25,
}
const SHALLOW = 0.03
/** One of each: a hash takes longer than a hundred other answers. */
const SHALLOWEST = 0.01

/** Of the members of a token response: neither how a user name is spelled nor the clock, which takes seconds, depends on them. */
const ON_TOKENS = ['2.1/token-*', '2.1/user-id-*', '2.1/members-*', '4.2/*']
/** Not those on characters and lengths that no policy speaks of: `8/password-*`. */
const ON_POLICY = [
  ...['7/*-message', '7/one-per-violation', '7/beside-another-reason'],
  ...['8/*account*', '8/*user-name*', '8/registration*', '8/sequences', '8/too-short', '8/minimum-length'],
  ...['8/no-*', '8/each-*', '8/*-not-required', '8/email-*'],
]
/** Where passwords are stored, and compared. */
export const ON_HASHING = [
  '4.1/form-special-characters',
  '4.1/password-grant',
  '4.1/unknown-user',
  '4.1/wrong-password',
  '8/accepted-account',
  '8/password-*',
]

/**
 * Rows of a covering array: with the listed settings, every pair of values of two settings occurs in one of them. Columns:
 * minimum length; non letter or digit, digit, lowercase, uppercase; alphanumeric names, unique e-mail; userId, short life.
 */
const ROWS: readonly (readonly [number, string, string, string])[] = [
  [6, '0000', '10', '11'],
  [10, '0100', '00', '00'],
  [1, '1011', '11', '11'],
  [64, '1000', '01', '01'],
  [64, '0111', '10', '10'],
  [10, '0010', '01', '10'],
  [1, '0100', '00', '00'],
  [10, '1101', '10', '01'],
]

/** Every deployment of the embedded run, by name. */
export function embeddedDeployments(): ReadonlyMap<string, EmbeddedSettings> {
  const policies = ROWS.map(
    ([minimumLength, classes, accounts, token], index): [string, EmbeddedSettings] => [
      `policy-${index + 1}`,
      {
        ...AS_LISTED,
        policy: policyOf(minimumLength, classes + accounts),
        includesUserId: token[0] === '1',
        tokenLifetime: token[1] === '1' ? SHORT : LONG,
        // In the last two, what is tried without a login.
        immediate: index < ROWS.length - 2,
        runsShare: SHALLOW,
        cases: [...ON_TOKENS, ...ON_POLICY],
      },
    ],
  )
  return new Map<string, EmbeddedSettings>([
    ['default', AS_LISTED],
    ['with-user-id', { ...AS_LISTED, includesUserId: true, runsShare: SHALLOW, cases: ON_TOKENS }],
    ['short-lifetime', { ...AS_LISTED, tokenLifetime: SHORT, runsShare: SHALLOW, cases: ON_TOKENS }],
    // Real hashing is the slow part: one deployment shows that it makes no difference.
    ['argon2id', { ...AS_LISTED, hashing: 'argon2id', runsShare: SHALLOWEST, cases: ON_HASHING }],
    ...policies,
  ])
}

/** Every combination of the six switches with minimum lengths 1, 6, 10 and 64: 256 deployments. */
export function exhaustiveDeployments(): ReadonlyMap<string, EmbeddedSettings> {
  const deployments = new Map<string, EmbeddedSettings>()
  for (const minimumLength of [1, 6, 10, 64]) {
    for (let bits = 0; bits < 64; bits++) {
      const switches = bits.toString(2).padStart(6, '0')
      const policy = policyOf(minimumLength, switches)
      deployments.set(`length-${minimumLength}-switches-${switches}`, {
        ...AS_LISTED,
        policy,
        runsShare: SHALLOW,
        cases: ON_POLICY,
      })
    }
  }
  return deployments
}

/** @param switches six of `0` and `1`: the four classes, alphanumeric names, unique e-mail */
function policyOf(minimumLength: number, switches: string): Policy {
  const on = (at: number): boolean => switches[at] === '1'
  return {
    minimumLength,
    requireNonLetterOrDigit: on(0),
    requireDigit: on(1),
    requireLowercase: on(2),
    requireUppercase: on(3),
    alphanumericUserNamesOnly: on(4),
    uniqueEmail: on(5),
  }
}
