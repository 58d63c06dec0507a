import type { Member } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, members, refusedBy } from './overrides.js'
import type { Override } from './rows.js'

const refused = ['4.2-external-login', '5-R3']
const callback = ['7-callback-status']

/** 4.2, 5-R3, 7: sign-in through an outside provider. */
export const externalLoginMutants: readonly Mutant[] = [
  ...breaking(refused, asIs, {
    'no-external-login: External sign-in always fails.': { signInExternally: () => undefined },
  }),
  ...breaking({ violates: ['4.2-external-login'], collateral: ['5-R3'] }, asIs, {
    'one-external-login: A user can sign in through a provider only once.': () => {
      const before = new Set<string>()
      return {
        signInExternally: (linked) => {
          if (linked === undefined || before.has(linked.userId)) return undefined
          before.add(linked.userId)
          return linked
        },
      }
    },
  }),
  ...breaking(callback, unauthorizedFor, {
    'callback-401-once: A missing callback gets 401 once, then 400.': [1, 400],
    'callback-401-eight-times: A missing callback gets 401 eight times, then 500.': [8, 500],
  }),
  ...breaking(refused, asIs, {
    'no-token-by-provider: The response to external sign-in lacks a token.': lacking('access_token'),
  }),
  ...lacks('token_type', '2.1-token_type'),
  ...lacks('expires_in', '2.1-expires_in'),
  ...lacks('userName', '2.1-userName'),
  ...lacks('.issued', '2.1-issued'),
  ...lacks('.expires', '2.1-expires'),
  // It could be another registered user's name.
  ...breaking({ violates: ['2.1-userName'], collateral: ['4.2-external-login'] }, asIs, {
    "provider-subject-as-user-name: On external sign-in, userName is the provider's name for the user.":
      byProvider('userName', () => 'alice-at-acme'),
  }),
  ...breaking(['2.1-token_type'], asIs, {
    'capital-bearer-by-provider: On external sign-in token_type is `Bearer`.': byProvider(
      'token_type',
      () => 'Bearer',
    ),
  }),
  ...breaking(['2.1-expires_in'], asIs, {
    "expires-in-of-the-provider: On external sign-in, expires_in is that of the provider's token.":
      byProvider('expires_in', () => 3600),
  }),
  ...breaking(['4.2-external-login', '2.1-userName'], asIs, {
    'external-login-of-another: External sign-in yields the token of another account.': {
      signInExternally: (linked) => linked && { userName: 'throwaway', userId: linked.userId },
    },
  }),
  ...breaking(callback, (status: number) => refusedBy(status, 'provider-unauthorized'), {
    'no-callback-by-400: Sign-in without a registered callback address gets 400.': 400,
    'no-callback-by-403: Sign-in without a registered callback address gets 403.': 403,
    'no-callback-by-502: Sign-in without a registered callback address gets 502.': 502,
  }),
  ...breaking(callback, asIs, {
    'no-callback-by-redirect: Sign-in without a registered callback address redirects to a page.': answers(
      (answer, { path }) =>
        answer.status === 401 && path.endsWith('/external-login')
          ? { status: 302, headers: [['Location', '/error?code=401']], body: '' }
          : answer,
    ),
  }),
]

/** A member's value, after an external sign-in alone. */
export function byProvider(name: string, shown: () => Member[1]): Override {
  return members((all, _, kind) =>
    kind === 'password' ? all : all.map(([own, value]): Member => [own, own === name ? shown() : value]),
  )
}

function lacking(name: string): Override {
  return members((all, _, kind) => (kind === 'password' ? all : all.filter(([own]) => own !== name)))
}

/** A property of 2.1 that external sign-in does not yield. */
function lacks(name: string, rule: string): readonly Mutant[] {
  const topic = rule.slice('2.1-'.length).toLowerCase().replace('_', '-')
  return breaking(['4.2-external-login', rule], asIs, {
    [`no-${topic}-by-provider: The response to external sign-in lacks ${name}.`]: lacking(name),
  })
}

/** The 401 of a missing callback, so many times, then another status. */
function unauthorizedFor([times, then]: readonly [times: number, then: number]): () => Override {
  return () => {
    let count = 0
    const { errorStatus = () => then } = refusedBy(then, 'provider-unauthorized')
    return {
      errorStatus: (refusal) =>
        refusal === 'provider-unauthorized' && ++count <= times ? 401 : errorStatus(refusal),
    }
  }
}
