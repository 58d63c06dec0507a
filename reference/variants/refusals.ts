import { type Behaviour, specifiedBehaviour } from '../behaviour.js'
import type { Answer } from '../http/answer.js'
import { particularsOf, type Refusal } from '../refusal.js'
import { type Row, variants } from './row.js'

const wrongCredentials: readonly Refusal[] = ['unknown-user', 'wrong-password', 'no-user-name', 'no-password']

/** What the specification does not show: any answer without a token is right. */
export const refusalVariants = variants([
  refused('wrong-credentials-by-401', 'Wrong credentials are answered by 401 and nothing else.', {
    status: 401,
    headers: [['WWW-Authenticate', 'Bearer']],
    body: '',
  }),
  refused('wrong-credentials-by-403', 'Wrong credentials are answered by 403 and a text.', {
    status: 403,
    headers: [['Content-Type', 'text/plain']],
    body: 'No access_token for you.',
  }),
  refused('wrong-credentials-by-200', 'Wrong credentials are answered by 200 and an error.', {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{"error":"invalid_grant","access_token":null}',
  }),
  refused('wrong-credentials-by-html', 'Wrong credentials are answered by a page.', {
    status: 400,
    headers: [['Content-Type', 'text/html']],
    body: '<!doctype html><p>access_token: <b>denied</b>',
  }),
  refused('wrong-credentials-by-500', 'Wrong credentials are answered by 500.', {
    status: 500,
    headers: [],
    body: '',
  }),
  refused('wrong-credentials-by-redirect', 'Wrong credentials are sent to a login page.', {
    status: 302,
    headers: [['Location', '/login?error=access_token_denied']],
    body: '',
  }),
  {
    id: 'other-methods-by-404',
    sentence: 'Other methods than POST are answered by 404 and a page.',
    behaviour: () =>
      answering((refusal) => refusal === 'wrong-method', {
        status: 404,
        headers: [['Content-Type', 'text/html']],
        body: '<h1>Not Found</h1>',
      }),
  },
  {
    id: 'lock-out',
    sentence: 'After five failed logins in a row an account is locked for good.',
    declares: { maxFailedLogins: 20 },
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
  },
  {
    id: 'rate-limit',
    sentence: 'More than 200 token requests a second are answered by 429.',
    behaviour: () => {
      let second = 0
      let requests = 0
      return {
        ...tooMany(429),
        admit: () => {
          const now = Math.floor(Date.now() / 1000)
          requests = now === second ? requests + 1 : 1
          second = now
          return requests > 200 ? 'busy' : undefined
        },
      }
    },
  },
  {
    id: 'busy-now-and-then',
    sentence: 'One token request in 150 is answered by 503 and when to come again.',
    behaviour: () => {
      let requests = 0
      return { admit: () => (++requests % 150 === 0 ? 'busy' : undefined) }
    },
  },
  {
    id: 'declared-rate-limit',
    sentence: 'More than 400 requests a second, which are declared, are answered by 429.',
    declares: { maxRequestsPerSecond: 300 },
    behaviour: () => {
      let second = 0
      let requests = 0
      return {
        ...tooMany(429),
        admit: () => {
          const now = Math.floor(Date.now() / 1000)
          requests = now === second ? requests + 1 : 1
          second = now
          return requests > 400 ? 'busy' : undefined
        },
      }
    },
  },
  {
    id: 'case-folding-user-names',
    sentence: 'The letter case of user names does not matter.',
    behaviour: () => ({ userNameKey: (userName) => userName.toLowerCase() }),
  },
  {
    id: 'forgiving-passwords',
    sentence: 'White space around a password and the case of its first letter are forgiven.',
    behaviour: () => ({
      passwordAsHashed: (password) => {
        const trimmed = password.trim()
        return trimmed.slice(0, 1).toLowerCase() + trimmed.slice(1)
      },
    }),
  },
  {
    id: 'path-in-any-case',
    sentence: 'The path of the endpoint may have other letter case and a slash at its end.',
    behaviour: () => ({
      isTokenPath: (path, basePath) =>
        path.toLowerCase().replace(/\/$/, '') === `${basePath}/token`.toLowerCase(),
    }),
  },
  {
    id: 'further-grant-types',
    sentence: 'Further grant types are supported, as is declared.',
    declares: { additionalGrantTypes: ['refresh_token', 'PASSWORD'] },
    behaviour: () => ({
      supportsGrantType: (grantType) => ['password', 'refresh_token', 'PASSWORD'].includes(grantType),
    }),
  },
  {
    id: 'success-by-201',
    sentence: 'A token is answered by 201.',
    behaviour: () => ({ successStatus: () => 201 }),
  },
  {
    id: 'success-as-text-json',
    sentence: 'The token response is sent as text/json.',
    behaviour: () => ({ successMediaType: () => 'text/json' }),
  },
])

function refused(id: string, sentence: string, answer: Answer): Row {
  return { id, sentence, behaviour: () => answering((refusal) => wrongCredentials.includes(refusal), answer) }
}

/** One answer to some refusals. */
function answering(is: (refusal: Refusal) => boolean, answer: Answer): Partial<Behaviour> {
  const mark = '‹replaced›'
  return {
    renderError: (body, refusal) => (is(refusal) ? mark : specifiedBehaviour.renderError(body, refusal)),
    deliver: (own) => ({ kind: 'answer', answer: own.body === mark ? answer : own }),
  }
}

function tooMany(status: number): Partial<Behaviour> {
  return {
    errorStatus: (refusal) => (refusal === 'busy' ? status : particularsOf(refusal).status),
  }
}
