import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { detailsOf, type Refusal } from '../../reference/refusal.js'
import { type Variant, variant } from './variant.js'

const wrongCredentials: readonly Refusal[] = ['unknown-user', 'wrong-password', 'no-user-name', 'no-password']

/** What the specification does not show: any answer without a token is right. */
export const refusalVariants: readonly Variant[] = [
  refused('wrong-credentials-by-401', 'Wrong credentials get 401 without a body.', {
    status: 401,
    headers: [['WWW-Authenticate', 'Bearer']],
    body: '',
  }),
  refused('wrong-credentials-by-403', 'Wrong credentials get 403 and a text.', {
    status: 403,
    headers: [['Content-Type', 'text/plain']],
    body: 'No access_token for you.',
  }),
  refused('wrong-credentials-by-200', 'Wrong credentials get 200 and an error.', {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{"error":"invalid_grant","access_token":null}',
  }),
  refused('wrong-credentials-by-html', 'Wrong credentials get a page.', {
    status: 400,
    headers: [['Content-Type', 'text/html']],
    body: '<!doctype html><p>access_token: <b>denied</b>',
  }),
  refused('wrong-credentials-by-500', 'Wrong credentials get 500.', {
    status: 500,
    headers: [],
    body: '',
  }),
  refused('wrong-credentials-by-redirect', 'Wrong credentials get a redirect to a login page.', {
    status: 302,
    headers: [['Location', '/login?error=access_token_denied']],
    body: '',
  }),
  variant('other-methods-by-404', 'Methods other than POST get 404 and a page.', () =>
    answering((refusal) => refusal === 'wrong-method', {
      status: 404,
      headers: [['Content-Type', 'text/html']],
      body: '<h1>Not Found</h1>',
    }),
  ),
  variant('closes-on-other-methods', 'Methods other than POST get a closed connection.', () => {
    const mark = '‹closed›'
    return {
      renderError: (body, refusal) =>
        refusal === 'wrong-method' ? mark : specifiedBehaviour.renderError(body, refusal),
      deliver: (answer) => (answer.body === mark ? { kind: 'reset' } : { kind: 'answer', answer }),
    }
  }),
  variant(
    'lock-out',
    'Five failed logins in a row lock an account for good.',
    () => {
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
    { declares: { maxFailedLogins: 20 } },
  ),
  variant('rate-limit', 'More than 200 token requests a second get 429.', limited(200)),
  variant('busy-now-and-then', 'One token request in 150 gets 503 with Retry-After.', () => {
    let requests = 0
    return { admit: () => (++requests % 150 === 0 ? 'busy' : undefined) }
  }),
  variant(
    'declared-rate-limit',
    'More than 400 requests a second get 429; a lower rate is declared.',
    limited(400),
    { declares: { maxRequestsPerSecond: 300 } },
  ),
  variant('case-folding-user-names', 'The letter case of user names does not matter.', () => ({
    userNameKey: (userName) => userName.toLowerCase(),
  })),
  variant('trimming-user-names', 'White space around a user name does not matter.', () => ({
    userNameKey: (userName) => userName.trim(),
  })),
  variant(
    'forgiving-passwords',
    'White space around a password and the case of its first letter are ignored.',
    () => {
      const right = new Map<string, string>()
      return {
        signIn: ({ matches, account, password = '' }) => {
          if (account === undefined) return undefined
          if (matches) right.set(account.userName, password)
          const known = right.get(account.userName)
          return known !== undefined && mayMean(password, known) ? account : undefined
        },
      }
    },
  ),
  variant('path-in-any-case', 'The path may have any letter case and a trailing slash.', () => ({
    isTokenPath: (path, basePath) =>
      path.toLowerCase().replace(/\/$/, '') === `${basePath}/token`.toLowerCase(),
  })),
  variant(
    'further-grant-types',
    'Further grant types are supported and declared.',
    () => ({
      supportsGrantType: (grantType) => ['password', 'refresh_token', 'PASSWORD'].includes(grantType),
    }),
    { declares: { additionalGrantTypes: ['refresh_token', 'PASSWORD'] } },
  ),
  variant('success-by-201', 'A token response has status 201.', () => ({ successStatus: () => 201 })),
  variant('success-as-text-json', 'The token response is sent as text/json.', () => ({
    successMediaType: () => 'text/json',
  })),
]

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

function refused(id: string, description: string, answer: Answer): Variant {
  return variant(id, description, () => answering((refusal) => wrongCredentials.includes(refusal), answer))
}

/** One answer to some refusals. */
function answering(is: (refusal: Refusal) => boolean, answer: Answer): Partial<Behaviour> {
  const mark = '‹replaced›'
  return {
    renderError: (body, refusal) => (is(refusal) ? mark : specifiedBehaviour.renderError(body, refusal)),
    deliver: (own) => ({ kind: 'answer', answer: own.body === mark ? answer : own }),
  }
}

/** More requests than that in a second of the clock are refused. */
export function limited(perSecond: number): Variant['behaviour'] {
  return () => {
    let second = 0
    let requests = 0
    return {
      errorStatus: (refusal) => (refusal === 'busy' ? 429 : detailsOf(refusal).status),
      admit: () => {
        const now = Math.floor(Date.now() / 1000)
        requests = now === second ? requests + 1 : 1
        second = now
        return requests > perSecond ? 'busy' : undefined
      },
    }
  }
}
