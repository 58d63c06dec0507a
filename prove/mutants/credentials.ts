import type { LoginAttempt } from '../../reference/behaviour.js'
import { formValues } from '../../reference/http/form.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { changed, type TextChange } from './overrides.js'
import type { Override } from './rows.js'

const violates = ['4.1-credentials']

/** 4.1: a token is for that user's password, and no other. */
export const credentialsMutants: readonly Mutant[] = [
  ...breaking(violates, hashed, {
    'password-of-8-characters: Passwords are cut to eight characters.': {
      behaviour: (text) => text.slice(0, 8),
      smallest: { '4.1/wrong-password': /: character 9 changed›$/ },
    },
    'password-of-16-characters: Passwords are cut to 16 characters.': (text) => text.slice(0, 16),
    'password-without-case: The letter case of passwords does not matter.': {
      behaviour: (text) => text.toLowerCase(),
      smallest: { '4.1/wrong-password': /: case of character \d+ flipped›$/ },
    },
    'password-of-72-bytes: Passwords are cut to 72 bytes, as bcrypt does.': (text) =>
      Buffer.from(text).subarray(0, 72).toString('latin1'),
    'password-trimmed: White space around a password is dropped, at registration too.': (text) => text.trim(),
    'password-trimmed-at-end: White space after a password is dropped, at registration too.': (text) =>
      text.trimEnd(),
    'password-without-symbols: Only the letters and digits of a password are compared.': (text) =>
      text.replace(/[^\p{L}\p{N}]/gu, ''),
    'password-until-percent: A password ends at a percent sign, at registration too.': (text) =>
      text.split('%', 1)[0] ?? '',
    'password-until-quote: A password ends at a quotation mark, at registration too.': (text) =>
      text.split('"', 1)[0] ?? '',
    'password-with-any-digits: The digits of a password are not told apart.': (text) =>
      text.replace(/\d/g, '0'),
    'password-without-its-end: The last character of a password is ignored.': (text) => text.slice(0, -1),
    'password-without-its-start: The first character of a password is ignored.': (text) => text.slice(1),
    'password-in-any-order: Passwords of the same characters in another order are the same.': (text) =>
      [...text].sort().join(''),
    'password-of-that-length: Any password of the right length is right.': (text) => `${text.length}`,
  }),
  ...breaking([...violates, '4.1-password'], asIs, {
    'any-password: Any password is accepted, even an empty one.': { passwordAsHashed: () => '' },
  }),
  ...breaking(violates, near, {
    'longer-password: Characters after the right password are ignored.': (given, right) =>
      given.startsWith(right),
    'password-at-the-end: Characters before the right password are ignored.': (given, right) =>
      given.endsWith(right),
    'half-a-password: Half of the right password is enough.': (given, right) =>
      given.length >= right.length / 2 && right.startsWith(given),
    'end-of-a-password: The right password without its first character is enough.': (given, right) =>
      given === right || given === right.slice(1),
    'password-with-typo: One wrong character in a password is accepted.': (given, right) =>
      given.length === right.length && [...given].filter((char, at) => char !== [...right][at]).length <= 1,
    'password-in-swapped-case: A password with the case of all letters swapped, as by Caps Lock, is accepted.':
      (given, right) => given === right || [...given].map(flipCase).join('') === right,
    'password-in-small-letters: The right password in small letters is accepted.': (given, right) =>
      given === right || given === right.toLowerCase(),
    'password-with-slip: A password with two neighbours transposed is accepted.': (given, right) =>
      given === right ||
      [...right.slice(1)].some(
        (next, at) => right.slice(0, at) + next + right[at] + right.slice(at + 2) === given,
      ),
    'password-with-number: Digits at the end of a password are ignored.': (given, right) =>
      given.replace(/\d+$/, '') === right.replace(/\d+$/, ''),
    'password-in-capitals: The right password in capitals is accepted.': (given, right) =>
      given === right || given === right.toUpperCase(),
  }),
  ...breaking(violates, lenient, {
    'any-password-beyond-ascii: Any password is accepted for a user name with letters beyond ASCII.': ({
      account,
      password = '',
    }) => password !== '' && account !== undefined && /[^ -~]/.test(account.userName),
    'any-password-for-odd-names: Any password is accepted for a user name with capitals, digits or symbols.':
      ({ account, password = '' }) =>
        password !== '' && account !== undefined && /[!-`{-~]/.test(account.userName),
    'password-in-query: A quote in a password ends the string in the query.': ({ password = '' }) =>
      /^' OR '1'='1/i.test(password),
    'password-in-query-of-double-quotes: A double quote in a password ends the string in the query.': ({
      password = '',
    }) => /^" OR ""="/i.test(password),
    'password-of-nul: A password ends at its first NUL, and the empty one asks for no password.': ({
      password = '',
    }) => password.startsWith('\0'),
    'password-pattern: A percent sign for a password matches any.': ({ password }) => password === '%',
    'password-wildcard: An asterisk for a password matches any.': ({ password }) => password === '*',
    'user-name-as-password: A user name is accepted as its own password.': ({ account, password = '' }) =>
      account?.userName.toLowerCase() === password.toLowerCase(),
    'address-as-password: The e-mail address of an account is accepted as its password.': ({
      account,
      password,
    }) => password !== undefined && account?.email === password,
    'password-of-spaces: A password of white space alone is trimmed, and the empty one asks for no password.':
      ({ password = '' }) => password !== '' && password.trim() === '',
  }),
  ...breaking(violates, asIs, {
    'password-of-another: The password of one account is accepted for every account.': () => {
      const known = new Set<string>()
      return {
        signIn: ({ matches, account, password = '' }) => {
          if (matches) known.add(password)
          return known.has(password) ? account : undefined
        },
      }
    },
    'every-fifth-wrong-password: Every fifth wrong password is accepted.': () => {
      let wrong = 0
      return lenient(
        ({ account, password = '' }) => account !== undefined && password !== '' && ++wrong % 5 === 0,
      )
    },
  }),
  ...breaking(['4.1-password'], lenient, {
    'no-password-needed: A form without a password is accepted.': ({ password }) => password === undefined,
    'empty-password-let-in: An empty password is accepted.': ({ password }) => password === '',
  }),
  ...breaking(['4.1-password'], asIs, {
    'password-in-brackets: A parameter `password[]` is read as password.': named('password', 'password[]'),
    'password-named-pass: A parameter `pass` is read as password.': named('password', 'pass'),
    'password-by-operator: A parameter `password[$ne]` asks the store for any other password.': {
      formValues: (form, name) => {
        const isOperator = name === 'password' && formValues(form, 'password[$ne]').length > 0
        return isOperator ? [ANY] : formValues(form, name)
      },
      ...lenient(({ password }) => password === ANY),
    },
  }),
  ...breaking(['4.1-username'], asIs, {
    'username-in-brackets: A parameter `username[]` is read as username.': named('username', 'username[]'),
    'username-named-user-name: A parameter `user_name` is read as username.': named('username', 'user_name'),
    'username-named-email: A parameter `email` is read as username.': named('username', 'email'),
  }),
]

/** Stands for every password. */
const ANY = '\0'

function flipCase(char: string): string {
  return char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()
}

function named(parameter: string, other: string): Override {
  return {
    formValues: (form, name) =>
      formValues(form, name).concat(name === parameter ? formValues(form, other) : []),
  }
}

/** Another part of a password than all of it is what counts. */
export function hashed(change: TextChange): Override {
  return { passwordAsHashed: (password) => changed(change, password) }
}

/** A user who has an account is let in, under a condition. */
function lenient(isEnough: (attempt: LoginAttempt) => boolean): Override {
  return { signIn: (attempt) => (attempt.matches || isEnough(attempt) ? attempt.account : undefined) }
}

/** A wrong password that is near enough to the right one, which is known once it was given: the controls do. */
export function near(isNear: (password: string, right: string) => boolean): () => Override {
  return () => {
    const right = new Map<string, string>()
    return {
      signIn: ({ matches, account, password = '' }) => {
        if (account === undefined) return undefined
        if (matches) right.set(account.userName, password)
        const known = right.get(account.userName)
        return known !== undefined && isNear(password, known) ? account : undefined
      },
    }
  }
}
