import type { Attempt } from '../behaviour.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const violates = ['4.1-credentials']

/** 4.1: a token is for that user's password, and no other. */
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
