import type { Hashing } from '../password-hash.js'
import { type AccountPolicy, listedPolicy } from '../policy.js'
import type { Provider } from '../provider/code-flow.js'

/** No expiry date may leave the years with four digits; 100 years are enough for anybody. */
export const longestLifetime = 3_155_760_000

/** What a program without types has mistyped: left alone, it would be a default in silence. */
export function refuseUnknown(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`${what}: expected no member but ${known.join(', ')}, found ${unknown}`)
}

export function checkInteger(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new RangeError(`${name} must be an integer from ${least} to ${most}`)
}

export function checkHashing(hashing: string): Hashing {
  if (hashing === 'argon2id' || hashing === 'fast') return hashing
  throw new TypeError("hashing must be 'argon2id' or 'fast'")
}

/** Node listens at every address where it is given an empty one. */
export function checkHost(name: string, host: string): string {
  if (typeof host === 'string' && host.trim() !== '') return host
  throw new TypeError(`${name} must be an address or a name, such as 127.0.0.1`)
}

export function checkBasePath(basePath: string): string {
  const trimmed = String(basePath).replace(/\/$/, '')
  // A client takes `.` and `..` for steps: it would never arrive.
  if (/^(\/(?!\.\.?(\/|$))[\w.~!$&'()*+,;=:@%-]+)*$/.test(trimmed)) return trimmed
  throw new TypeError('basePath must be a URL path such as /auth')
}

export function checkBoolean(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value
  throw new TypeError(`${name} must be true or false`)
}

export function checkPolicy(policy: AccountPolicy): AccountPolicy {
  const { minimumLength: _, ...flags } = listedPolicy
  checkInteger('policy.minimumLength', policy.minimumLength, 1, 1024)
  for (const name of Object.keys(flags) as (keyof typeof flags)[])
    checkBoolean(`policy.${name}`, policy[name])
  return policy
}

export function checkProviders(providers: readonly Provider[]): readonly Provider[] {
  const names = new Set<string>()
  providers.forEach(({ name, tokenEndpoint, userInfoEndpoint = tokenEndpoint }, index) => {
    if (typeof name !== 'string' || name === '') throw new TypeError(`providers[${index}] needs a name`)
    if (names.has(name)) throw new TypeError(`providers[${index}] repeats the name ${name}`)
    names.add(name)
    for (const endpoint of [tokenEndpoint, userInfoEndpoint]) {
      if (!isHttpUrl(endpoint))
        throw new TypeError(`providers[${index}] needs http(s) URLs without credentials`)
    }
  })
  return providers
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
