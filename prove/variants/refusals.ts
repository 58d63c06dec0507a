import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import type { Refusal } from '../../reference/refusal.js'
import { near } from '../mutants/credentials.js'
import { FAILURE, refusedBy } from '../mutants/overrides.js'
import type { Override } from '../mutants/rows.js'
import { conforming, type Variant } from './variant.js'

const html: Answer['headers'] = [['Content-Type', 'text/html']]

/** What the specification does not show: any answer without a token is right. */
export const refusalVariants: readonly Variant[] = conforming({
  'wrong-credentials-by-401: Wrong credentials get 401 without a body.': refused({
    status: 401,
    headers: [['WWW-Authenticate', 'Bearer']],
    body: '',
  }),
  'wrong-credentials-by-403: Wrong credentials get 403 and a text.': refused({
    status: 403,
    headers: [['Content-Type', 'text/plain']],
    body: 'No access_token for you.',
  }),
  'wrong-credentials-by-200: Wrong credentials get 200 and an error.': refused({
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{"error":"invalid_grant","access_token":null}',
  }),
  'wrong-credentials-by-html: Wrong credentials get a page.': refused({
    status: 400,
    headers: html,
    body: '<!doctype html><p>access_token: <b>denied</b>',
  }),
  'wrong-credentials-by-500: Wrong credentials get 500.': refused(FAILURE),
  'wrong-credentials-by-redirect: Wrong credentials get a redirect to a login page.': refused({
    status: 302,
    headers: [['Location', '/login?error=access_token_denied']],
    body: '',
  }),
  'other-methods-by-404: Methods other than POST get 404 and a page.': answering(['wrong-method'], {
    status: 404,
    headers: html,
    body: '<h1>Not Found</h1>',
  }),
  'closes-on-other-methods: Methods other than POST get a closed connection.': () => {
    const mark = '‹closed›'
    return {
      renderError: (body, refusal) =>
        refusal === 'wrong-method' ? mark : specifiedBehaviour.renderError(body, refusal),
      deliver: (answer) => (answer.body === mark ? { kind: 'reset' } : { kind: 'answer', answer }),
    }
  },
  'lock-out: Five failed logins in a row lock an account for good.': {
    behaviour: () => {
      const failures = new Map<string, number>()
      return {
        signIn: ({ account, matches }) => {
          if (account === undefined) return undefined
          const before = failures.get(account.userId) ?? 0
          if (before >= 5) return undefined
          failures.set(account.userId, matches ? 0 : before + 1)
          return matches ? account : undefined
        },
      }
    },
    declares: { maxFailedLogins: 20 },
  },
  'rate-limit: More than 200 token requests a second get 429.': limited(200),
  'busy-now-and-then: One token request in 150 gets 503 with Retry-After.': () => {
    let requests = 0
    return { admit: () => (++requests % 150 === 0 ? 'busy' : undefined) }
  },
  'declared-rate-limit: More than 400 requests a second get 429; a lower rate is declared.': {
    behaviour: limited(400),
    declares: { maxRequestsPerSecond: 300 },
  },
  'case-folding-user-names: The letter case of user names does not matter.': {
    userNameKey: (userName) => userName.toLowerCase(),
  },
  'trimming-user-names: White space around a user name does not matter.': {
    userNameKey: (userName) => userName.trim(),
  },
  'forgiving-passwords: White space around a password and the case of its first letter are ignored.':
    near(mayMean),
  'path-in-any-case: The path may have any letter case and a trailing slash.': {
    isTokenPath: (path, basePath) =>
      path.toLowerCase().replace(/\/$/, '') === `${basePath}/token`.toLowerCase(),
  },
  'further-grant-types: Further grant types are supported and declared.': {
    behaviour: {
      supportsGrantType: (grantType) => ['password', 'refresh_token', 'PASSWORD'].includes(grantType),
    },
    declares: { additionalGrantTypes: ['refresh_token', 'PASSWORD'] },
  },
  'success-by-201: A token response has status 201.': { successStatus: () => 201 },
  'success-as-text-json: The token response is sent as text/json.': {
    successMediaType: () => 'text/json',
  },
})

/** NIST SP 800-63B: a mistyped password may be tried once more without outer white space, or with its first letter in the other case. */
function mayMean(given: string, right: string): boolean {
  const rest = given.slice(1)
  return [
    given,
    given.trim(),
    given.charAt(0).toLowerCase() + rest,
    given.charAt(0).toUpperCase() + rest,
  ].includes(right)
}

function refused(answer: Answer): Override {
  return answering(['unknown-user', 'wrong-password', 'no-user-name', 'no-password'], answer)
}

function answering(refusals: readonly Refusal[], answer: Answer): Override {
  const mark = '‹replaced›'
  return {
    renderError: (body, refusal) =>
      refusals.includes(refusal) ? mark : specifiedBehaviour.renderError(body, refusal),
    deliver: (own) => ({ kind: 'answer', answer: own.body === mark ? answer : own }),
  }
}

/** More requests than that in a second of the clock are refused. */
export function limited(perSecond: number): () => Override {
  return () => {
    let second = 0
    let requests = 0
    return {
      ...refusedBy(429, 'busy'),
      admit: () => {
        const now = Math.floor(Date.now() / 1000)
        requests = now === second ? requests + 1 : 1
        second = now
        return requests > perSecond ? 'busy' : undefined
      },
    }
  }
}
