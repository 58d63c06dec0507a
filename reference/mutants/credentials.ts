import type { Attempt } from '../behaviour.js'
import type { Bearer } from '../token-response.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const violates = ['4.1-credentials']

/** 4.1: a token is for an existing user name with that user's password. */
export const credentialsMutants: readonly Mutant[] = mutants([
  hashed('password-of-8-characters', 'Passwords are cut to eight characters.', (text) => text.slice(0, 8)),
  hashed('password-of-16-characters', 'Passwords are cut to 16 characters.', (text) => text.slice(0, 16)),
  hashed('password-without-case', 'The letter case of passwords does not matter.', (text) =>
    text.toLowerCase(),
  ),
  hashed('password-without-symbols', 'Only letters and digits of passwords count.', (text) =>
    text.replace(/[^\p{L}\p{N}]/gu, ''),
  ),
  hashed('password-without-its-end', 'The last character of a password does not count.', (text) =>
    text.slice(0, -1),
  ),
  hashed('password-without-its-start', 'The first character of a password does not count.', (text) =>
    text.slice(1),
  ),
  hashed('password-of-that-length', 'Any password of the right length is right.', (text) => `${text.length}`),
  {
    ...hashed('any-password', 'Any password is right, the empty one too.', () => ''),
    violates: [...violates, '4.1-password'],
  },
  near('longer-password', 'What follows the right password does not count.', (given, right) =>
    given.startsWith(right),
  ),
  near('password-at-the-end', 'What comes before the right password does not count.', (given, right) =>
    given.endsWith(right),
  ),
  near(
    'half-a-password',
    'Half of the right password suffices.',
    (given, right) => given.length >= right.length / 2 && right.startsWith(given),
  ),
  near(
    'password-with-typo',
    'One wrong character in a password is forgiven.',
    (given, right) =>
      given.length === right.length && [...given].filter((char, at) => char !== right[at]).length <= 1,
  ),
  {
    id: 'password-of-another',
    sentence: 'A password that has let in somebody lets in everybody.',
    violates,
    behaviour: () => {
      const known = new Set<string>()
      return {
        signIn: ({ matches, account, password = '' }) => {
          if (matches) known.add(password)
          return known.has(password) ? account : undefined
        },
      }
    },
  },
  {
    id: 'every-fifth-wrong-password',
    sentence: 'Every fifth wrong password is let in.',
    violates,
    behaviour: () => {
      let wrong = 0
      return {
        signIn: ({ matches, account, password }) =>
          matches || (account !== undefined && password !== undefined && password !== '' && ++wrong % 5 === 0)
            ? account
            : undefined,
      }
    },
  },
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
  lenient(
    'no-password-needed',
    'A form without a password is let in.',
    ['4.1-password'],
    ({ password }) => password === undefined,
  ),
  lenient(
    'empty-password-let-in',
    'An empty password is let in.',
    ['4.1-password'],
    ({ password }) => password === '',
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

/** Another part of a password than all of it is what counts. */
function hashed(id: string, sentence: string, passwordAsHashed: (password: string) => string): Row {
  return { id, sentence, violates, behaviour: () => ({ passwordAsHashed }) }
}

/** Whoever has an account, under a condition. */
function lenient(
  id: string,
  sentence: string,
  rules: readonly string[],
  isEnough: (attempt: Attempt) => boolean,
): Row {
  return {
    id,
    sentence,
    violates: rules,
    behaviour: () => ({
      signIn: (attempt) => (attempt.matches || isEnough(attempt) ? attempt.account : undefined),
    }),
  }
}

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

/** A wrong password that is near enough to the right one, which is known once it was given: the controls do. */
function near(id: string, sentence: string, isNear: (password: string, right: string) => boolean): Row {
  return {
    id,
    sentence,
    violates,
    behaviour: () => {
      const right = new Map<string, string>()
      return {
        signIn: ({ matches, account, password = '' }) => {
          if (account === undefined) return undefined
          if (matches) right.set(account.userName, password)
          const known = right.get(account.userName)
          return known !== undefined && isNear(password, known) ? account : undefined
        },
      }
    },
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
