import { specifiedBehaviour } from '../behaviour.js'
import type { Refusal } from '../refusal.js'
import type { Member } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { answers, members, type Override } from './overrides.js'
import { mutants, type Row } from './row.js'

const refused = ['4.2-external-login', '5-R3']

/** 4.2, 5-R3, 7: sign-in through an outside provider. */
export const externalLoginMutants: readonly Mutant[] = mutants([
  {
    id: 'no-external-login',
    sentence: 'Nobody is signed in through a provider.',
    violates: refused,
    behaviour: () => ({ signInExternally: () => undefined }),
  },
  {
    id: 'one-external-login',
    sentence: 'A user is signed in through a provider once.',
    violates: ['4.2-external-login'],
    collateral: ['5-R3'],
    behaviour: () => {
      const before = new Set<string>()
      return {
        signInExternally: (linked) => {
          if (linked === undefined || before.has(linked.userId)) return undefined
          before.add(linked.userId)
          return linked
        },
      }
    },
  },
  {
    id: 'no-token-by-provider',
    sentence: 'External sign-in is answered without a token.',
    violates: refused,
    behaviour: byProvider((all) => all.filter(([name]) => name !== 'access_token')),
  },
  lacks('token_type', '2.1-token_type'),
  lacks('expires_in', '2.1-expires_in'),
  lacks('userName', '2.1-userName'),
  lacks('.issued', '2.1-issued'),
  lacks('.expires', '2.1-expires'),
  {
    id: 'provider-subject-as-user-name',
    sentence: "On external sign-in userName is the provider's name of the user.",
    violates: ['2.1-userName'],
    // It could be another registered user's name.
    collateral: ['4.2-external-login'],
    behaviour: changed('userName', () => 'alice-at-acme'),
  },
  {
    id: 'capital-bearer-by-provider',
    sentence: 'On external sign-in token_type is `Bearer`.',
    violates: ['2.1-token_type'],
    behaviour: changed('token_type', () => 'Bearer'),
  },
  {
    id: 'expires-in-of-the-provider',
    sentence: "On external sign-in expires_in is that of the provider's token.",
    violates: ['2.1-expires_in'],
    behaviour: changed('expires_in', () => 3600),
  },
  {
    id: 'external-login-of-another',
    sentence: 'External sign-in yields the token of another account.',
    violates: ['4.2-external-login', '2.1-userName'],
    behaviour: () => ({
      signInExternally: (linked) =>
        linked === undefined ? undefined : { userName: 'throwaway', userId: linked.userId },
    }),
  },
  callback('no-callback-by-400', 'Without a registered callback address sign-in is answered by 400.', 400),
  callback('no-callback-by-403', 'Without a registered callback address sign-in is answered by 403.', 403),
  callback('no-callback-by-502', 'Without a registered callback address sign-in is answered by 502.', 502),
  {
    id: 'no-callback-by-redirect',
    sentence: 'Without a registered callback address sign-in is sent to a page.',
    violates: ['7-callback-status'],
    behaviour: answers((answer, { path }) =>
      answer.status === 401 && path.endsWith('/external-login')
        ? { status: 302, headers: [['Location', '/error?code=401']], body: '' }
        : answer,
    ),
  },
])

function byProvider(change: (all: readonly Member[]) => readonly Member[]): Override {
  return members((all, _, kind) => (kind === 'password' ? all : change(all)))
}

function changed(name: string, shown: () => Member[1]): Override {
  return byProvider((all) => all.map(([own, value]): Member => [own, own === name ? shown() : value]))
}

/** A property of 2.1 that external sign-in does not yield. */
function lacks(name: string, rule: string): Row {
  return {
    id: `no-${rule.slice('2.1-'.length).toLowerCase().replace('_', '-')}-by-provider`,
    sentence: `External sign-in is answered without ${name}.`,
    violates: ['4.2-external-login', rule],
    behaviour: byProvider((all) => all.filter(([own]) => own !== name)),
  }
}

function callback(id: string, sentence: string, status: number): Row {
  const answered: Refusal = 'provider-unauthorized'
  return {
    id,
    sentence,
    violates: ['7-callback-status'],
    behaviour: () => ({
      errorStatus: (refusal) => (refusal === answered ? status : specifiedBehaviour.errorStatus(refusal)),
    }),
  }
}
