import { setTimeout as after } from 'node:timers/promises'
import type { LoginAttempt } from '../../reference/behaviour.js'
import { parseJsonObject } from '../../reference/http/json-body.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, FAILURE, oneIn, passes, type TextTest } from './overrides.js'
import type { Override } from './rows.js'

const names = ['8-alphanumeric-user-names']
const atDotUnderscore = '8-alphanumeric-user-names-at-dot-underscore'
const needs = 'other-policy'

/** 8: who gets an account: user names, e-mail addresses, and what becomes of the rejected. */
export const registrationMutants: readonly Mutant[] = [
  ...breaking({ violates: [...names, atDotUnderscore], needs }, named, {
    'any-user-name: User names are not checked.': /^/,
  }),
  ...breaking({ violates: names, needs }, named, {
    'hyphen-alphanumeric: A hyphen is allowed in user names.': {
      behaviour: /^[A-Za-z0-9-]+$/,
      smallest: { '8/other-user-name': /"-" at the beginning$/ },
    },
    'space-alphanumeric: A space is allowed in user names.': /^[A-Za-z0-9 ]+$/,
    'line-end-alphanumeric: A user name may end in a line end.': {
      behaviour: /^[A-Za-z0-9]+\n?$/,
      smallest: { '8/other-user-name': /"\\n" at the end$/ },
    },
    'user-name-checked-up-to-nul: A user name is checked up to its first NUL.': {
      behaviour: /^[A-Za-z0-9]+(?:\0|$)/,
      smallest: { '8/other-user-name': /"\\u0000" after character/ },
    },
  }),
  ...breaking({ violates: names, collateral: [atDotUnderscore], needs }, named, {
    'user-name-checked-at-its-start: Only the start of a user name is checked.': /^[A-Za-z0-9]/,
  }),
  ...breaking({ violates: names, needs }, named, {
    'digits-not-alphanumeric: Digits are not allowed in user names.': {
      behaviour: /^[A-Za-z]+$/,
      smallest: { '8/account-with-any-user-name': /"[07]" at the beginning$/ },
    },
    'capitals-not-alphanumeric: Capitals are not allowed in user names.': /^[a-z0-9]+$/,
  }),
  ...breaking({ violates: [atDotUnderscore], needs }, named, {
    'address-as-user-name: `@`, `.` and `_` are allowed in user names, as ASP.NET Identity does.':
      /^[A-Za-z0-9@._]+$/,
    'underscore-alphanumeric: An underscore is allowed in user names.': {
      behaviour: /^\w+$/,
      smallest: { '8/at-dot-underscore-user-name': /"_" at the beginning$/ },
    },
    'dot-alphanumeric: A dot is allowed in user names.': /^[A-Za-z0-9.]+$/,
  }),
  ...breaking(names, named, {
    'user-names-always-alphanumeric: User names have to be alphanumeric although the rule is switched off.':
      /^[A-Za-z0-9]+$/,
    'quotes-in-user-names-rejected: Quotes are not allowed in any user name.': /^[^'"`]*$/,
    'space-in-user-names-rejected: A space is not allowed in any user name.': {
      behaviour: /^[^ ]*$/,
      smallest: { '8/account-with-any-user-name': /" " after character [12]$/ },
    },
  }),
  ...breaking(['8-unique-email'], asIs, {
    'email-many-times: An e-mail address may be used many times.': {
      behaviour: { mustBeUnique: (what) => what === 'userName' },
      smallest: { '8/email-a-second-time': /^‹new›$/ },
    },
    'email-forgotten-after-the-next: Only the latest e-mail address is known to be taken.': () => {
      let latest = ''
      let forgotten = 0
      return {
        emailKey: (email) => {
          if (email === latest) return email
          latest = email
          return `${email} ${forgotten++}`
        },
      }
    },
    'email-in-mixed-case-many-times: New addresses are compared with what is stored in lower case.': () => {
      let count = 0
      return { emailKey: (email) => (email === email.toLowerCase() ? email : `${email} ${count++}`) }
    },
    'email-race: Two simultaneous registrations of one e-mail address are both stored.': racing(100),
    'email-race-of-two-milliseconds: An address is looked up 2 ms before it is stored, and not reserved.':
      racing(2),
  }),
  ...breaking({ violates: ['8-unique-email'], needs }, asIs, {
    'email-always-unique: An e-mail address may be used once although the rule is switched off.': {
      behaviour: { mustBeUnique: () => true },
      smallest: { '8/email-not-unique': /^‹new›$/ },
    },
  }),
  ...breaking(['8-R1', '8-unique-email'], asIs, {
    'accepted-not-stored: An accepted account is not stored.': { storesAccount: () => false },
  }),
  ...breaking(['8-R1'], asIs, {
    'rejected-and-stored: A rejected account is stored anyway.': {
      behaviour: { storesAccount: () => true },
      // The shortest password that violates everything.
      smallest: { '8/rejected-account': /^$/ },
    },
    'second-email-stored: An account that is rejected for its e-mail address alone is stored anyway.':
      storedIfOnly(/^Email .* taken/),
    'weak-password-stored-for-a-taken-name: A weak password replaces the one of the account that has the name.':
      {
        storesAccount: (errors) =>
          errors.length === 0 || (errors.length > 1 && errors.some((error) => /^Name .* taken/.test(error))),
      },
    'refused-password-for-a-taken-address: A registration that is refused for its e-mail address replaces the password of the account that has it.':
      () => {
        const replaced = new Map<unknown, unknown>()
        return {
          ...answers((answer, { path, body }) => {
            const { email, password } = parseJsonObject(body) ?? {}
            if (path.endsWith('/accounts') && /Email .* taken/.test(`${answer.body}`))
              replaced.set(email, password)
            return answer
          }),
          signIn: ({ matches, account, password }) => {
            const isRight = replaced.has(account?.email) ? replaced.get(account?.email) === password : matches
            return isRight ? account : undefined
          },
        }
      },
    'short-password-stored: An account whose password is rejected for its length alone is stored.':
      storedIfOnly(/at least 6/),
    'password-without-digit-stored: An account whose password lacks a digit alone is stored anyway.':
      storedIfOnly(/one digit/),
    'password-without-digit-stored-for-later: Where new accounts log in later, one whose password lacks a digit alone is stored anyway.':
      {
        behaviour: { ...storedIfOnly(/one digit/), ...lost(() => true) },
        declares: { registration: { immediate: false } },
      },
    'password-that-lacks-two-stored: An account whose password violates two requirements is rejected, and stored.':
      { storesAccount: (errors) => errors.length === 0 || errors.length === 2 },
  }),
  ...breaking(
    [
      ...['8-R1', '8-minimum-length', '8-unique-email', '8-require-non-letter-or-digit'],
      ...['8-require-digit', '8-require-lowercase', '8-require-uppercase'],
    ],
    asIs,
    {
      'rejected-and-accepted: Every registration is reported as accepted; rejected accounts are not stored.':
        {
          reportsSuccess: () => true,
        },
      'everybody-registered: Every registration is accepted.': {
        reportsSuccess: () => true,
        storesAccount: () => true,
      },
    },
  ),
  ...breaking(['8-R1'], asIs, {
    'nobody-registered: Every registration is rejected.': {
      reportsSuccess: () => false,
      storesAccount: () => false,
    },
    'log-in-after-confirmation: A new account cannot log in before it is confirmed.': lost(() => true),
    'six-characters-cannot-log-in: A login with a password of fewer than seven characters is refused.':
      lostAtLogin(/^.{0,6}$/s),
    'quote-cannot-log-in: An account with a quote in its name cannot log in.': lostByName(/'/),
    'ampersand-cannot-log-in: An account with `&` or `<` in its name cannot log in.': lostByName(/[&<]/),
    'markup-in-passwords-lost: `<` and `>` are taken out of a password when an account is registered.':
      lostAtLogin(/[<>]/),
    'leading-digit-cannot-log-in: A user name that begins with a digit is read as an id.': lostByName(/^\d/),
  }),
  ...breaking({ violates: ['8-R1'], needs }, asIs, {
    'login-by-the-usual-policy: A login with a password without a capital is refused, which may be registered.':
      lostAtLogin(/^[^A-Z]*$/),
  }),
  ...breaking(names, named, {
    'leading-digit-rejected: A user name must not begin with a digit.': /^(?!\d)/,
    'user-names-need-a-digit: A user name must have a digit.': /\d/,
    'user-names-need-a-letter: A user name must have a letter.': {
      behaviour: /[^\d]/,
      smallest: { '8/account-with-any-user-name': /in digits alone$/ },
    },
    'user-names-need-a-small-letter: A user name must have a letter in lower case, or no letter.':
      /[a-z]|^[^A-Z]*$/,
  }),
  ...breaking(names, asIs, {
    'quote-in-user-name-fails: A registration with a quote in its user name gets 500.': failing(
      ({ userName }) => /'/.test(String(userName)),
    ),
  }),
  ...breaking({ violates: names, needs }, named, {
    'alphanumeric-user-names-need-a-digit: A user name of letters alone is refused.':
      /^(?=.*\d)[A-Za-z0-9]+$/,
  }),
  // So does a corrected registration, which has the address of the rejected one.
  ...breaking({ violates: ['8-unique-email'], collateral: ['8-R1'], needs }, asIs, {
    'email-used-again-fails: Each second registration of an address gets 500 although that is allowed.':
      () => {
        const times = new Map<unknown, number>()
        return failing(({ email }) => {
          times.set(email, (times.get(email) ?? 0) + 1)
          return (times.get(email) ?? 0) % 2 === 0
        })
      },
  }),
  ...breaking(['8-R1'], asIs, {
    'every-registration-fails: Every registration gets 500.': failing(() => true),
  }),
  ...breaking({ violates: [], expect: 'cantTell' }, asIs, {
    'one-registration-in-thirty-fails: One registration in thirty gets 500.': () => failing(oneIn(30)),
    'registration-fails-for-weak: A registration that violates the policy gets 500.': {
      rejectedStatus: () => 500,
    },
  }),
]

function named(allowed: RegExp): Override {
  return { allowsUserName: (userName) => allowed.test(userName) }
}

/** An address is looked up, and stored later. */
function racing(delayMs: number): Override {
  return { reserves: (what) => what !== 'email', beforeStoring: () => after(delayMs) }
}

/** A rejected account is stored where no other reason was given. */
export function storedIfOnly(reason: RegExp): Override {
  return { storesAccount: (errors) => errors.every((error) => reason.test(error)) }
}

/** Such registrations end in a server error. */
function failing(isFailing: (asked: Readonly<Record<string, unknown>>) => boolean): Override {
  return answers((answer, { path, body }) =>
    path.endsWith('/accounts') && isFailing(parseJsonObject(body) ?? {}) ? FAILURE : answer,
  )
}

/** Registered accounts that cannot log in. Those of the start have no e-mail address. */
function lost(isLost: (attempt: LoginAttempt) => boolean): Override {
  return {
    signIn: (attempt) => {
      const { matches, account } = attempt
      return matches && (account?.email === undefined || !isLost(attempt)) ? account : undefined
    },
  }
}

function lostByName(name: RegExp): Override {
  return lost(({ account }) => account !== undefined && name.test(account.userName))
}

/** Accounts that were registered with such a password. */
export function lostAtLogin(test: TextTest): Override {
  return lost(({ password = '' }) => passes(test, password))
}
