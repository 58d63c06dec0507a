import { createHash } from 'node:crypto'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Bearer } from '../../reference/token-response.js'
import { wholeSeconds } from '../../reference/token-response.js'
import { byConnection, withClock } from '../mutants/nodes.js'
import { oneIn } from '../mutants/overrides.js'
import { conforming, type Variant } from './variant.js'

/** Tokens are opaque, and the service's clock is its own, within a minute. */
export const tokenVariants: readonly Variant[] = conforming({
  'jwt: Tokens are JSON Web Tokens: one account has the same for a second.': {
    newAccessToken: (bearer) => jwt(bearer, Math.floor(Date.now() / 1000)),
  },
  'token-of-4-kb: Tokens have 4,096 characters.': {
    newAccessToken: (bearer) => specifiedBehaviour.newAccessToken(bearer).repeat(96).slice(0, 4096),
  },
  'short-tokens: Tokens are counted.': () => {
    let count = 0
    return { newAccessToken: () => `t${count++}` }
  },
  'tokens-of-any-characters: Tokens have quotes, backslashes, spaces and non-ASCII characters.': () => {
    let count = 0
    return { newAccessToken: () => `${count++} | "ü" \\ / <&> 😀` }
  },
  'token-per-account: An account has one token.': {
    newAccessToken: ({ userName }) => createHash('sha256').update(userName).digest('base64'),
  },
  'expires-in-as-the-lifetime: expires_in is the lifetime, to the second.': {
    expiresIn: (lifetimeSeconds) => lifetimeSeconds,
  },
  'expires-in-either-way: expires_in is the lifetime, or one second less.': () => {
    let count = 0
    return { expiresIn: (lifetimeSeconds) => lifetimeSeconds - (count++ % 2) }
  },
  'lifetime-of-an-hour: Tokens live for an hour, as is declared.': { behaviour: {}, needs: 'short-lifetime' },
  'lifetime-of-a-second: Tokens live for a second, as is declared.': {
    behaviour: {},
    options: { tokenLifetime: 1 },
    declares: { tokenLifetime: 1 },
  },
  "clock-ahead: `.issued` is 20 seconds ahead of the answer's Date.": {
    issuedAt: (nowMs) => wholeSeconds(nowMs + 20_000),
  },
  'clock-behind-without-date: Answers have no Date, and `.issued` is 20 seconds behind.': {
    dateHeader: () => undefined,
    issuedAt: (nowMs) => wholeSeconds(nowMs - 20_000),
  },
  "clock-of-another-day: The service's clock is a day behind, as its Date shows.": {
    dateHeader: (nowMs) => specifiedBehaviour.dateHeader(nowMs - 86_400_000),
    issuedAt: (nowMs) => wholeSeconds(nowMs - 86_400_000),
  },
  'nodes-300-ms-apart: Each second connection reaches a node whose clock, as its Date shows, is 300 ms ahead.':
    withClock(300, byConnection),
  'answers-20-seconds-apart: Each second answer is from a node whose clock, as its Date shows, is 20 seconds ahead.':
    () => {
      const isDue = oneIn(2)
      return withClock(20_000, () => isDue())
    },
  'issued-rounded: `.issued` is rounded to the second, and `.expires` follows it.': {
    issuedAt: (nowMs) => wholeSeconds(nowMs + 500),
  },
})

function jwt({ userId, userName }: Bearer, issuedAtSeconds: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: userId, name: userName, iat: issuedAtSeconds })}`
  return `${signed}.${createHash('sha256').update(signed).digest('base64url')}`
}
