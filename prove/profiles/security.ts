import { randomBytes, randomUUID } from 'node:crypto'
import { type Behaviour, type LoginAttempt, specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { detailsOf, type Refusal } from '../../reference/refusal.js'
import { asIs, breaking } from '../mutants/mutant.js'
import { refusedBy } from '../mutants/overrides.js'
import { conforming, type Variant } from '../variants/variant.js'
import { changing, type ProfileProof } from './profile-proof.js'

const MAX_GUESSES = 10

/** After so many wrong passwords in a row an account takes none. */
function lockOut(): Partial<Behaviour> {
  const failures = new Map<string, number>()
  return {
    signIn: ({ account, matches }: LoginAttempt) => {
      if (account === undefined) return undefined
      const before = failures.get(account.userId) ?? 0
      const isOpen = matches && before < MAX_GUESSES
      failures.set(account.userId, isOpen ? 0 : before + 1)
      return isOpen ? account : undefined
    },
  }
}
const base: Variant = {
  id: 'security',
  description: 'Locks an account after ten wrong passwords.',
  needs: 'default',
  behaviour: lockOut,
}

const MARK = '\u0001'

/** Answers to these refusals leave later. */
function later(refusals: readonly Refusal[], delayMs: () => number): Partial<Behaviour> {
  return {
    renderError: (body, refusal) =>
      `${refusals.includes(refusal) ? MARK : ''}${specifiedBehaviour.renderError(body, refusal)}`,
    deliver: (answer) => {
      const body = String(answer.body)
      if (!body.startsWith(MARK)) return { kind: 'answer', answer }
      return { kind: 'answer', answer: { ...answer, body: body.slice(MARK.length) }, delayMs: delayMs() }
    },
  }
}

function answering(changed: (answer: Answer, origin: string) => Answer): Partial<Behaviour> {
  return {
    deliver: (answer, { headers }) => ({ kind: 'answer', answer: changed(answer, headers.origin ?? '') }),
  }
}

/** Each wrong password is refused with another id. */
const withIds: Partial<Behaviour> = {
  errorBody: (refusal) => ({
    error: detailsOf(refusal).error,
    ...(WRONG.includes(refusal) && { id: randomUUID() }),
  }),
}

const withHeaders = (...more: readonly (readonly [string, string])[]): Partial<Behaviour> => ({
  commonHeaders: () => [
    ...specifiedBehaviour.commonHeaders(),
    ...more.map(([name, value]) => [name, value] as const),
  ],
})

function tokens(make: (userName: string) => string): Partial<Behaviour> {
  return { newAccessToken: ({ userName }) => make(userName) }
}

function jwt(header: object, userName: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part({ sub: userName, jti: randomUUID() })}`
}

/** A corner that fails inside for user names that are known: the answer is 500. */
function failingForKnown(refusal: Refusal, corner: (attempt: LoginAttempt) => boolean): Partial<Behaviour> {
  const { signIn = () => undefined } = lockOut()
  let isKnown = false
  return {
    signIn: (attempt) => {
      isKnown = attempt.account !== undefined && corner(attempt)
      return signIn(attempt)
    },
    errorStatus: (other) => (other === refusal && isKnown ? 500 : detailsOf(other).status),
  }
}

const WRONG: readonly Refusal[] = ['wrong-password', 'unknown-user']
let count = 1_000_000

export const security: ProfileProof = {
  shownElsewhere: {
    'security:transport-tls': 'conformance/properties/transport.test.ts',
    'security:transport-version': 'conformance/properties/transport.test.ts',
    'security:transport-certificate': 'conformance/properties/transport.test.ts',
  },
  variants: [
    base,
    ...changing(
      base,
      conforming({
        'security-noise: Refusals take up to 15 ms longer at random and carry an id.': {
          ...later(WRONG, () => Math.random() * 15),
          ...withIds,
        },
        'security-slow: Refusals take 20 ms longer.': later(WRONG, () => 20),
        'security-throttled: After ten wrong passwords, an account gets 429.': () => {
          const failures = new Map<string, number>()
          return {
            ...refusedBy(429, 'busy'),
            admit: ({ body }) => {
              const name = new URLSearchParams(Buffer.from(body).toString()).get('username') ?? ''
              return (failures.get(name) ?? 0) >= MAX_GUESSES ? 'busy' : undefined
            },
            signIn: ({ account, matches, userName = '' }) => {
              failures.set(userName, matches ? 0 : (failures.get(userName) ?? 0) + 1)
              return matches ? account : undefined
            },
          }
        },
        'security-dated-tokens: Tokens begin with the time, and have 80 random bits.': {
          newAccessToken: () => Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex'),
        },
        'security-signed-tokens: Tokens are JWTs with the user name, and signed.': {
          newAccessToken: ({ userName }) =>
            `${jwt({ alg: 'HS256', typ: 'JWT' }, userName)}.${randomBytes(32).toString('base64url')}`,
        },
        'security-cors: Pages from any origin may read the answer, without cookies.': withHeaders([
          'Access-Control-Allow-Origin',
          '*',
        ]),
      }),
    ),
  ],
  mutants: changing(base, [
    ...breaking(['security:login-same-answer'], asIs, {
      'security-unknown-user-404: An unknown user name gets 404.': refusedBy(404, 'unknown-user'),
      'security-says-which: The description says what was wrong.': {
        errorBody: (refusal) => ({ error: detailsOf(refusal).error, error_description: refusal }),
      },
    }),
    ...breaking(['security:login-same-answer'], asIs, {
      'security-no-password-500: A known user name without a password gets 500.': () =>
        failingForKnown('no-password', ({ password }) => password === undefined),
      'security-empty-password-500: A known user name with an empty password gets 500.': () =>
        failingForKnown('wrong-password', ({ password }) => password === ''),
      'security-long-password-500: A known user name with a long password gets 500.': () =>
        failingForKnown('wrong-password', ({ password = '' }) => password.length > 72),
    }),
    ...breaking(['security:login-same-time'], asIs, {
      'security-unhashed: An unknown user name skips a hash of 7 ms.': later(
        ['wrong-password'],
        () => 7 + Math.random() * 3,
      ),
      'security-known-is-slow: A wrong password takes 120 ms longer than an unknown user name.': later(
        ['wrong-password'],
        () => 120,
      ),
      'security-unknown-is-slow: An unknown user name takes 120 ms longer than a wrong password.': later(
        ['unknown-user'],
        () => 120,
      ),
    }),
    ...breaking(['security:login-guesses'], asIs, {
      'security-no-lock-out: An account allows any number of wrong passwords.': {
        signIn: specifiedBehaviour.signIn,
      },
      'security-no-lock-out-but-ids: The same, and each wrong password is refused with another id.': {
        signIn: specifiedBehaviour.signIn,
        ...withIds,
      },
    }),
    ...breaking(['security:login-password-in-query'], asIs, {
      'security-query: Parameters in the query are read as well as the body.': {
        formBytes: ({ body, query }) => Buffer.concat([body, Buffer.from(`&${query}`)]),
      },
    }),
    ...breaking(['security:token-strength'], tokens, {
      'security-counted: Tokens are increasing numbers.': () => `token-${++count}`,
      'security-user-and-time: Tokens are the user name and the time in base64.': (userName) =>
        Buffer.from(`${userName}:${Date.now()}:${++count}`).toString('base64'),
      'security-short: Tokens have 48 random bits.': () => randomBytes(6).toString('hex'),
      'security-doubled: Tokens repeat 32 random bits four times.': () =>
        randomBytes(4).toString('hex').repeat(4),
    }),
    ...breaking(['security:token-strength'], asIs, {
      'security-few: There are 60 tokens in all.': () => {
        const few = Array.from({ length: 60 }, () => randomBytes(32).toString('base64url'))
        let next = 0
        return { newAccessToken: () => few[next++ % few.length] ?? '' }
      },
      'security-unsigned: Tokens are unsigned JWTs.': tokens(
        (userName) => `${jwt({ alg: 'none' }, userName)}.`,
      ),
    }),
    ...breaking(['security:token-in-url'], asIs, {
      'security-location: The token is in a Location too.': answering((answer) => {
        const token = /"access_token":"([^"]+)"/.exec(String(answer.body))?.[1]
        if (token === undefined) return answer
        return { ...answer, headers: [...answer.headers, ['Location', `/signed-in#access_token=${token}`]] }
      }),
    }),
    ...breaking(['security:token-cacheable'], asIs, {
      'security-cached: Caches may store the answer.': {
        commonHeaders: () => [['Cache-Control', 'private']],
      },
    }),
    ...breaking(['security:answer-diagnostics'], asIs, {
      'security-stack-trace: A malformed form gets a stack trace.': {
        renderError: (body, refusal) =>
          refusal === 'malformed-form'
            ? 'URIError: URI malformed\n    at decodeURIComponent (<anonymous>)\n    at read (/srv/app/form.js:12:5)'
            : specifiedBehaviour.renderError(body, refusal),
      },
    }),
    ...breaking(
      { violates: ['security:answer-diagnostics'], collateral: ['security:login-same-answer'] },
      asIs,
      {
        'security-database: An unknown user name gets a database error.': {
          renderError: (body, refusal) =>
            refusal === 'unknown-user'
              ? '{"error":"SQLSTATE[42000]"}'
              : specifiedBehaviour.renderError(body, refusal),
        },
      },
    ),
    ...breaking(['security:answer-versions'], asIs, {
      'security-powered-by: A header names the framework.': withHeaders(['X-Powered-By', 'Contoso 1.2']),
    }),
    ...breaking(['security:answer-cors'], asIs, {
      'security-any-origin: Pages from any origin may send cookies, and read the answer.': answering(
        (answer, origin) => ({
          ...answer,
          headers: [
            ...answer.headers,
            ['Access-Control-Allow-Origin', origin],
            ['Access-Control-Allow-Credentials', 'true'],
          ],
        }),
      ),
      'security-null-origin: Pages without an origin may send cookies, and read the answer.': withHeaders(
        ['Access-Control-Allow-Origin', 'null'],
        ['Access-Control-Allow-Credentials', 'true'],
      ),
    }),
  ]),
}
