import type { LoginAttempt } from '../../reference/behaviour.js'
import { formValues } from '../../reference/http/form.js'
import type { Bearer } from '../../reference/token-response.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import type { Override } from './rows.js'

const violates = ['4.1-credentials']

/** 4.1: a token is for an existing user name, and for every one of them. */
export const userMutants: readonly Mutant[] = [
  // A user whose registration was rejected has none either. So has one who asks for an account in another letter case, and
  // is named so.
  ...breaking({ violates, collateral: ['8-R1', '2.1-userName', '4.1-password'] }, asIs, {
    'unknown-user-let-in: Logging in with an unknown user name creates an account.': unknownUsers(
      ({ userName = '' }) => userName !== '',
    ),
  }),
  ...breaking(['4.1-username'], unknownUsers, {
    'guest-without-user-name: A request without a username signs in a guest.': ({ userName }) =>
      userName === undefined,
    'guest-of-empty-user-name: An empty username signs in a guest.': ({ userName }) => userName === '',
  }),
  ...breaking({ violates: ['4.1-password'], collateral: ['4.1-username', ...violates] }, unknownUsers, {
    'nothing-equals-nothing: The password of an unknown user is undefined, as one that is left out.': ({
      password,
    }) => password === undefined,
  }),
  ...breaking(violates, alias, {
    'user-name-prefix: A user name may be followed by anything.': (given, known) => given.startsWith(known),
    'user-name-pattern: A percent sign in a user name matches any characters.': (given, known) =>
      given.endsWith('%') && startsAs(known, given),
    'user-name-pattern-of-one-character: An underscore in a user name matches any character.': (
      given,
      known,
    ) => given.endsWith('_') && given.length === known.length && startsAs(known, given),
    'user-name-pattern-of-three-characters: A percent sign after three characters of a user name matches any characters.':
      (given, known) => given.length > 3 && given.endsWith('%') && startsAs(known, given),
    'user-name-as-expression: A dot in a user name matches any character, as in a regular expression.': (
      given,
      known,
    ) => given.endsWith('.') && given.length === known.length && startsAs(known, given),
    'user-name-filter: A star in a user name is a wildcard in a directory query.': (given, known) =>
      given.length > 1 && given.endsWith('*') && startsAs(known, given),
    'user-name-in-filter: Parentheses in a user name change the directory query.': (given, known) =>
      given.startsWith(`${known})(`),
    'user-name-with-comment: A quote and two hyphens in a user name end the query.': (given, known) =>
      given.startsWith(`${known}'--`),
    'user-name-escaped-twice: Escapes in a user name are decoded once more.': (given, known) =>
      given !== known &&
      given.replace(/%(\w\w)/g, (_, code) => String.fromCharCode(parseInt(code, 16))) === known,
    'user-name-in-path: A question mark or a hash in a user name ends the path that asks for the user.': (
      given,
      known,
    ) => given.split(/[?#]/, 1)[0] === known,
    'user-name-with-dots: Dots between slashes in a user name go up in the path that asks for the user.': (
      given,
      known,
    ) => given.replace(/[^/]*\/\.\.\//, '') === known,
    'user-name-in-query: A quote in a user name ends the string in the query.': (given) =>
      /^' OR '1'='1/i.test(given),
  }),
  ...breaking(violates, asIs, {
    'object-members-as-users: Names of object members, such as `constructor`, are accepted as accounts.':
      unknownUsers(({ userName = '' }) => userName in {}),
    'address-without-password: A user name that is an e-mail address is let in, whatever the password.':
      unknownUsers(({ userName = '' }) => userName.includes('@')),
  }),
  ...breaking(violates, asIs, {
    'name-and-password-joined: A user name and its password are compared as one text.': () => {
      const known = new Map<string, Bearer>()
      return {
        signIn: ({ matches, account, userName = '', password = '' }) => {
          if (matches && account !== undefined) known.set(userName + password, account)
          return known.get(userName + password)
        },
      }
    },
  }),
  // Those of the start have no e-mail address.
  ...breaking([...violates, '4.1-username'], asIs, {
    'unknown-user-with-known-password: A user without an account is let in by the password of an account of the start.':
      () => {
        const known = new Map<string, Bearer>()
        return {
          signIn: ({ matches, account, password = '' }) => {
            if (account === undefined) return known.get(password)
            if (matches && account.email === undefined) known.set(password, account)
            return matches ? account : undefined
          },
        }
      },
  }),
  ...breaking(['4.1-username'], asIs, {
    'first-account-without-user-name: A request without a username finds the first account.': () => {
      let first: readonly string[] = []
      return {
        formValues: (form, name) => {
          const found = formValues(form, name)
          if (name !== 'username') return found
          if (first.length === 0) first = found
          return found.length === 0 ? first : found
        },
      }
    },
    'username-by-operator: A parameter `username[$ne]` asks the store for any other user.': () => ({
      ...alias((given) => given === ANYBODY)(),
      formValues: (form, name) =>
        name === 'username' && formValues(form, 'username[$ne]').length > 0
          ? [ANYBODY]
          : formValues(form, name),
    }),
  }),
  ...breaking(
    { violates: ['1-exchange', '4.1-R3', '5-R1', '8-R1'], collateral: ['4.1-form-encoding'] },
    asIs,
    {
      'nobody-let-in: Right credentials are refused.': { signIn: () => undefined },
    },
  ),
  ...breaking({ violates: ['1-exchange'], collateral: ['4.1-form-encoding'] }, asIs, {
    'main-account-alone: Only the first of the configured accounts can log in.': () => {
      let first: Bearer | undefined
      return {
        signIn: ({ matches, account }) => {
          if (!matches || account === undefined) return undefined
          first ??= account
          return account.email !== undefined || account.userName === first.userName ? account : undefined
        },
      }
    },
  }),
]

const ANYBODY = '\0'

/** Whether a name begins as another does before its last character. */
function startsAs(name: string, other: string): boolean {
  return name.startsWith(other.slice(0, -1))
}

/** Users without an account are let in, under a condition. */
function unknownUsers(isLetIn: (attempt: LoginAttempt) => boolean): Override {
  return {
    signIn: (attempt) => {
      const { account, matches, userName = 'guest' } = attempt
      if (account === undefined) return isLetIn(attempt) ? { userName, userId: 'unknown' } : undefined
      return matches ? account : undefined
    },
  }
}

/** An unknown user name that means a known one, with the password of that one. */
function alias(standsFor: (userName: string, known: string) => boolean): () => Override {
  return () => {
    const known = new Map<Bearer, string>()
    return {
      signIn: ({ matches, account, userName = '', password = '' }) => {
        if (account === undefined)
          return [...known].find(
            ([bearer, right]) => right === password && standsFor(userName, bearer.userName),
          )?.[0]
        if (matches) known.set(account, password)
        return matches ? account : undefined
      },
    }
  }
}
