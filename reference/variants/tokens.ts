import { createHash } from 'node:crypto'
import { specifiedBehaviour } from '../behaviour.js'
import type { Bearer } from '../token-response.js'
import { wholeSeconds } from '../token-response.js'
import { variants } from './row.js'

/** Tokens are opaque, and the service's clock is its own, within a minute. */
export const tokenVariants = variants([
  {
    id: 'jwt',
    sentence: 'Tokens are JSON Web Tokens: one account has the same for a second.',
    behaviour: () => ({ newAccessToken: (bearer) => jwt(bearer, Math.floor(Date.now() / 1000)) }),
  },
  {
    id: 'token-of-4-kb',
    sentence: 'Tokens have 4,096 characters.',
    behaviour: () => ({
      newAccessToken: (bearer) => specifiedBehaviour.newAccessToken(bearer).repeat(96).slice(0, 4096),
    }),
  },
  {
    id: 'short-tokens',
    sentence: 'Tokens are counted.',
    behaviour: () => {
      let count = 0
      return { newAccessToken: () => `t${count++}` }
    },
  },
  {
    id: 'tokens-of-any-characters',
    sentence: 'Tokens have quotes, backslashes, spaces and non-ASCII characters.',
    behaviour: () => {
      let count = 0
      return { newAccessToken: () => `${count++} | "ü" \\ / <&> 😀` }
    },
  },
  {
    id: 'token-per-account',
    sentence: 'An account has one token.',
    behaviour: () => ({
      newAccessToken: ({ userName }) => createHash('sha256').update(userName).digest('base64'),
    }),
  },
  {
    id: 'expires-in-as-the-lifetime',
    sentence: 'expires_in is the lifetime, to the second.',
    behaviour: () => ({ expiresIn: (lifetimeSeconds) => lifetimeSeconds }),
  },
  {
    id: 'expires-in-either-way',
    sentence: 'expires_in is the lifetime, or one second less.',
    behaviour: () => {
      let count = 0
      return { expiresIn: (lifetimeSeconds) => lifetimeSeconds - (count++ % 2) }
    },
  },
  {
    id: 'lifetime-of-an-hour',
    sentence: 'Tokens live for an hour, as is declared.',
    needs: 'short-lifetime',
  },
  {
    id: 'lifetime-of-a-second',
    sentence: 'Tokens live for a second, as is declared.',
    options: { tokenLifetime: 1 },
    declares: { tokenLifetime: 1 },
  },
  {
    id: 'clock-ahead',
    sentence: "`.issued` is 20 seconds ahead of the answer's Date.",
    behaviour: () => ({ issuedAt: (nowMs) => wholeSeconds(nowMs + 20_000) }),
  },
  {
    id: 'clock-behind-without-date',
    sentence: 'Answers have no Date, and `.issued` is 20 seconds behind.',
    behaviour: () => ({
      dateHeader: () => undefined,
      issuedAt: (nowMs) => wholeSeconds(nowMs - 20_000),
    }),
  },
  {
    id: 'clock-of-another-day',
    sentence: "The service's clock is a day behind, as its Date shows.",
    behaviour: () => ({
      dateHeader: (nowMs) => specifiedBehaviour.dateHeader(nowMs - 86_400_000),
      issuedAt: (nowMs) => wholeSeconds(nowMs - 86_400_000),
    }),
  },
  {
    id: 'issued-rounded',
    sentence: '`.issued` is rounded to the second, and `.expires` follows it.',
    behaviour: () => ({ issuedAt: (nowMs) => wholeSeconds(nowMs + 500) }),
  },
])

function jwt({ userId, userName }: Bearer, issuedAtSeconds: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: userId, name: userName, iat: issuedAtSeconds })}`
  return `${signed}.${createHash('sha256').update(signed).digest('base64url')}`
}
