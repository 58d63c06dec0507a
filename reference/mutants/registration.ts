import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const names = ['8-alphanumeric-user-names']

/** 8: who gets an account: user names, e-mail addresses, and what becomes of the rejected. */
export const registrationMutants: readonly Mutant[] = mutants([
  name(
    'any-user-name',
    'User names are not checked.',
    [...names, '8-alphanumeric-user-names-at-dot-underscore'],
    /^/,
  ),
  name('hyphen-alphanumeric', 'A hyphen is allowed in user names.', names, /^[A-Za-z0-9-]+$/),
  name('space-alphanumeric', 'A space is allowed in user names.', names, /^[A-Za-z0-9 ]+$/),
  name('line-end-alphanumeric', 'A user name may end in a line end.', names, /^[A-Za-z0-9]+\n?$/),
  name('user-name-checked-at-its-start', 'Only the start of a user name is checked.', names, /^[A-Za-z0-9]/, [
    '8-alphanumeric-user-names-at-dot-underscore',
  ]),
  name('digits-not-alphanumeric', 'Digits are not allowed in user names.', names, /^[A-Za-z]+$/),
  name('capitals-not-alphanumeric', 'Capitals are not allowed in user names.', names, /^[a-z0-9]+$/),
  name(
    'address-as-user-name',
    '`@`, `.` and `_` are allowed in user names, as ASP.NET Identity does.',
    ['8-alphanumeric-user-names-at-dot-underscore'],
    /^[A-Za-z0-9@._]+$/,
  ),
  name(
    'underscore-alphanumeric',
    'An underscore is allowed in user names.',
    ['8-alphanumeric-user-names-at-dot-underscore'],
    /^\w+$/,
  ),
  name(
    'dot-alphanumeric',
    'A dot is allowed in user names.',
    ['8-alphanumeric-user-names-at-dot-underscore'],
    /^[A-Za-z0-9.]+$/,
  ),
  {
    id: 'user-names-always-alphanumeric',
    sentence: 'User names have to be alphanumeric although that is switched off.',
    violates: names,
    behaviour: () => ({ allowsUserName: (userName) => /^[A-Za-z0-9]+$/.test(userName) }),
  },
  {
    id: 'quotes-in-user-names-rejected',
    sentence: 'Quotes are not allowed in any user name.',
    violates: names,
    behaviour: () => ({ allowsUserName: (userName) => !/['"`]/.test(userName) }),
  },
  {
    id: 'email-many-times',
    sentence: 'An e-mail address may be used many times.',
    violates: ['8-unique-email'],
    behaviour: () => ({
      mustBeUnique: (what) => what === 'userName',
    }),
  },
  {
    id: 'email-forgotten-after-the-next',
    sentence: 'Only the latest e-mail address is known to be taken.',
    violates: ['8-unique-email'],
    behaviour: () => {
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
  },
  {
    id: 'email-race',
    sentence: 'Of two registrations of one e-mail address at once, both are stored.',
    violates: ['8-unique-email'],
    behaviour: () => ({ reserves: (what) => what !== 'email', storesAfterMs: () => 100 }),
  },
  {
    id: 'email-always-unique',
    sentence: 'An e-mail address may be used once although that is switched off.',
    violates: ['8-unique-email'],
    needs: 'other-policy',
    behaviour: () => ({ mustBeUnique: () => true }),
  },
  {
    id: 'accepted-not-stored',
    sentence: 'An accepted account is not stored.',
    violates: ['8-R1', '8-unique-email'],
    behaviour: () => ({ storesAccount: () => false }),
  },
  {
    id: 'rejected-and-stored',
    sentence: 'A rejected account is stored all the same.',
    violates: ['8-R1'],
    behaviour: () => ({ storesAccount: () => true }),
  },
  {
    id: 'second-email-stored',
    sentence: 'An account that is rejected for its e-mail address alone is stored all the same.',
    violates: ['8-R1'],
    behaviour: () => ({ storesAccount: (errors) => errors.every((error) => /^Email .* taken/.test(error)) }),
  },
  {
    id: 'short-password-stored',
    sentence: 'An account whose password is rejected for its length alone is stored all the same.',
    violates: ['8-R1'],
    behaviour: () => ({ storesAccount: (errors) => errors.every((error) => error.includes('at least 6')) }),
  },
  {
    id: 'password-without-digit-stored',
    sentence: 'An account whose password lacks a digit alone is stored all the same.',
    violates: ['8-R1'],
    behaviour: () => ({ storesAccount: (errors) => errors.every((error) => error.includes('one digit')) }),
  },
  {
    id: 'rejected-and-accepted',
    sentence: 'Every registration is answered as accepted, and the rejected are not stored.',
    violates: [
      ...['8-R1', '8-minimum-length', '8-unique-email', '8-require-non-letter-or-digit'],
      ...['8-require-digit', '8-require-lowercase', '8-require-uppercase'],
    ],
    behaviour: () => ({ reportsSuccess: () => true }),
  },
  {
    id: 'everybody-registered',
    sentence: 'Every registration is accepted.',
    violates: [
      ...['8-R1', '8-minimum-length', '8-unique-email', '8-require-non-letter-or-digit'],
      ...['8-require-digit', '8-require-lowercase', '8-require-uppercase'],
    ],
    behaviour: () => ({ reportsSuccess: () => true, storesAccount: () => true }),
  },
  {
    id: 'nobody-registered',
    sentence: 'Every registration is rejected.',
    violates: ['8-R1'],
    behaviour: () => ({ reportsSuccess: () => false, storesAccount: () => false }),
  },
  {
    id: 'log-in-after-confirmation',
    sentence: 'A new account cannot log in before it is confirmed.',
    violates: ['8-R1'],
    behaviour: () => ({
      // Those of the start have no e-mail address.
      signIn: ({ matches, account }) => (matches && account?.email === undefined ? account : undefined),
    }),
  },
  {
    id: 'registration-fails-for-weak',
    sentence: 'A registration that violates the policy is answered by 500.',
    violates: [],
    expect: 'cantTell',
    behaviour: () => ({ rejectedStatus: () => 500 }),
  },
])

function name(
  id: string,
  sentence: string,
  violates: readonly string[],
  allowed: RegExp,
  collateral: readonly string[] = [],
): Row {
  return {
    id,
    sentence,
    violates,
    collateral,
    needs: 'other-policy',
    behaviour: () => ({ allowsUserName: (userName) => allowed.test(userName) }),
  }
}
