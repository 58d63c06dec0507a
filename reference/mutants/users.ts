import type { Attempt } from '../behaviour.js'
import type { Bearer } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const violates = ['4.1-credentials']

/** 4.1: a token is for an existing user name, and for every one of them. */
export const userMutants: readonly Mutant[] = mutants([
  {
    ...strangers(
      'unknown-user-let-in',
      'Whoever has no account gets one by logging in.',
      violates,
      ({ userName = '' }) => userName !== '',
    ),
    // Whose registration was rejected has none either.
    collateral: ['8-R1'],
  },
  strangers(
    'guest-without-user-name',
    'Without a username a guest is signed in.',
    ['4.1-username'],
    ({ userName }) => userName === undefined,
  ),
  strangers(
    'guest-of-empty-user-name',
    'With an empty username a guest is signed in.',
    ['4.1-username'],
    ({ userName }) => userName === '',
  ),
  alias('user-name-prefix', 'A user name may be followed by anything.', (given, known) =>
    given.startsWith(known),
  ),
  alias(
    'user-name-pattern',
    'A percent sign in a user name stands for any characters.',
    (given, known) => given.endsWith('%') && known.startsWith(given.slice(0, -1)),
  ),
  {
    id: 'nobody-let-in',
    sentence: 'Right credentials are refused.',
    violates: ['1-exchange', '4.1-R3', '5-R1', '8-R1'],
    collateral: ['4.1-form-encoding'],
    behaviour: () => ({ signIn: () => undefined }),
  },
  {
    id: 'main-account-alone',
    sentence: 'Of the accounts of the start only the first can log in.',
    violates: ['1-exchange'],
    collateral: ['4.1-form-encoding'],
    behaviour: () => {
      let first: Bearer | undefined
      return {
        signIn: ({ matches, account }) => {
          if (!matches || account === undefined) return undefined
          first ??= account
          return account.email !== undefined || account.userName === first.userName ? account : undefined
        },
      }
    },
  },
])

/** Whoever has no account, under a condition. */
function strangers(
  id: string,
  sentence: string,
  rules: readonly string[],
  isLetIn: (attempt: Attempt) => boolean,
): Row {
  return {
    id,
    sentence,
    violates: rules,
    behaviour: () => ({
      signIn: (attempt) => {
        const { account, matches, userName = 'guest' } = attempt
        if (account === undefined) return isLetIn(attempt) ? { userName, userId: 'stranger' } : undefined
        return matches ? account : undefined
      },
    }),
  }
}

/** An unknown user name that stands for a known one, with the password of that one. */
function alias(id: string, sentence: string, standsFor: (userName: string, known: string) => boolean): Row {
  return {
    id,
    sentence,
    violates,
    behaviour: () => {
      const known = new Map<Bearer, string>()
      return {
        signIn: ({ matches, account, userName = '', password = '' }) => {
          if (account === undefined) {
            const meant = [...known].find(
              ([bearer, right]) => right === password && standsFor(userName, bearer.userName),
            )
            return meant?.[0]
          }
          if (matches) known.set(account, password)
          return matches ? account : undefined
        },
      }
    },
  }
}
