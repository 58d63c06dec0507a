import { specifiedBehaviour } from '../../reference/behaviour.js'
import type { Refusal } from '../../reference/refusal.js'
import type { Member } from '../../reference/token-response.js'
import { breaking, type Mutant } from './mutant.js'
import { answers, members, type Override } from './overrides.js'

const refused = ['4.2-external-login', '5-R3']

/** 4.2, 5-R3, 7: sign-in through an outside provider. */
export const externalLoginMutants: readonly Mutant[] = [
  ...breaking(refused)({
    'no-external-login: External sign-in always fails.': () => ({
      signInExternally: () => undefined,
    }),
  }),
  ...breaking({ violates: ['4.2-external-login'], collateral: ['5-R3'] })({
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
  ...breaking(['7-callback-status'])({
    'callback-401-once: A missing callback gets 401 once, then 400.': unauthorizedFor(1),
    'callback-401-eight-times: A missing callback gets 401 eight times, then 500.': unauthorizedFor(8),
  }),
  ...breaking(refused)({
    'no-token-by-provider: The response to external sign-in lacks a token.': byProvider((all) =>
      all.filter(([name]) => name !== 'access_token'),
    ),
  }),
  ...lacks('token_type', '2.1-token_type'),
  ...lacks('expires_in', '2.1-expires_in'),
  ...lacks('userName', '2.1-userName'),
  ...lacks('.issued', '2.1-issued'),
  ...lacks('.expires', '2.1-expires'),
  ...breaking({
    violates: ['2.1-userName'],
    // It could be another registered user's name.
    collateral: ['4.2-external-login'],
  })({
    "provider-subject-as-user-name: On external sign-in, userName is the provider's name for the user.":
      changed('userName', () => 'alice-at-acme'),
  }),
  ...breaking(['2.1-token_type'])({
    'capital-bearer-by-provider: On external sign-in token_type is `Bearer`.': changed(
      'token_type',
      () => 'Bearer',
    ),
  }),
  ...breaking(['2.1-expires_in'])({
    "expires-in-of-the-provider: On external sign-in, expires_in is that of the provider's token.": changed(
      'expires_in',
      () => 3600,
    ),
  }),
  ...breaking(['4.2-external-login', '2.1-userName'])({
    'external-login-of-another: External sign-in yields the token of another account.': () => ({
      signInExternally: (linked) =>
        linked === undefined ? undefined : { userName: 'throwaway', userId: linked.userId },
    }),
  }),
  ...breaking(['7-callback-status'])({
    'no-callback-by-400: Sign-in without a registered callback address gets 400.': callback(400),
    'no-callback-by-403: Sign-in without a registered callback address gets 403.': callback(403),
    'no-callback-by-502: Sign-in without a registered callback address gets 502.': callback(502),
    'no-callback-by-redirect: Sign-in without a registered callback address redirects to a page.': answers(
      (answer, { path }) =>
        answer.status === 401 && path.endsWith('/external-login')
          ? { status: 302, headers: [['Location', '/error?code=401']], body: '' }
          : answer,
    ),
  }),
]

function byProvider(change: (all: readonly Member[]) => readonly Member[]): Override {
  return members((all, _, kind) => (kind === 'password' ? all : change(all)))
}

function changed(name: string, shown: () => Member[1]): Override {
  return byProvider((all) => all.map(([own, value]): Member => [own, own === name ? shown() : value]))
}

/** A property of 2.1 that external sign-in does not yield. */
function lacks(name: string, rule: string): readonly Mutant[] {
  const topic = rule.slice('2.1-'.length).toLowerCase().replace('_', '-')
  return breaking(['4.2-external-login', rule])({
    [`no-${topic}-by-provider: The response to external sign-in lacks ${name}.`]: byProvider((all) =>
      all.filter(([own]) => own !== name),
    ),
  })
}

function callback(status: number): Override {
  const answered: Refusal = 'provider-unauthorized'
  return () => ({
    errorStatus: (refusal) => (refusal === answered ? status : specifiedBehaviour.errorStatus(refusal)),
  })
}

/** The 401 of a missing callback, so many times. */
function unauthorizedFor(times: number): Override {
  return () => {
    let count = 0
    return {
      errorStatus: (refusal) => {
        const isOver = refusal === 'provider-unauthorized' && ++count > times
        return isOver ? (times === 1 ? 400 : 500) : specifiedBehaviour.errorStatus(refusal)
      },
    }
  }
}
