import type { Fault } from './fault.js'

/** Accounts are stored, or told apart, wrongly. */
export const REGISTRATION_FAULTS: readonly Fault[] = [
  {
    name: 'a rejected account is stored nevertheless',
    behaviour: { storesAccount: () => true },
    failed: ['8-R1'],
    // The shortest password that violates everything.
    smallest: { '8/rejected-account': /^$/ },
    runs: 5,
  },
  {
    name: 'an accepted account does not log in',
    behaviour: { signIn: ({ matches, account }) => (matches && !account?.email ? account : undefined) },
    failed: ['8-R1'],
  },
  {
    name: 'e-mail addresses that differ by case alone are one',
    behaviour: { emailKey: (email) => email.toLowerCase() },
    failed: [],
    runs: 20,
  },
  {
    name: 'one e-mail address is accepted by several registrations at once',
    behaviour: { reserves: (what) => what !== 'email' },
    hashing: 'argon2id',
    failed: ['8-unique-email'],
  },
  {
    name: 'an e-mail address is accepted a second time',
    behaviour: { mustBeUnique: (what) => what === 'userName' },
    failed: ['8-unique-email'],
    smallest: { '8/email-a-second-time': /^‹new›$/ },
  },
  {
    name: 'an e-mail address is refused a second time where that is allowed',
    under: 'e-mail not unique',
    behaviour: { mustBeUnique: () => true },
    failed: ['8-unique-email'],
    smallest: { '8/email-not-unique': /^‹new›$/ },
  },
  {
    name: 'an alphanumeric name may have a hyphen',
    under: 'alphanumeric names',
    behaviour: { allowsUserName: (userName) => !/[^A-Za-z0-9-]/.test(userName) },
    failed: ['8-alphanumeric-user-names'],
    smallest: { '8/other-user-name': /"-" at 0$/ },
    runs: 20,
  },
  {
    name: 'an alphanumeric name may end in a line end',
    under: 'alphanumeric names',
    behaviour: { allowsUserName: (userName) => !/[^A-Za-z0-9]/.test(userName.replace(/\n$/, '')) },
    failed: ['8-alphanumeric-user-names'],
    smallest: { '8/other-user-name': /"\\n" at \d+$/ },
    runs: 100,
  },
  {
    name: 'an alphanumeric name may have an underscore',
    under: 'alphanumeric names',
    behaviour: { allowsUserName: (userName) => !/\W/.test(userName) },
    failed: ['8-alphanumeric-user-names-at-dot-underscore'],
    smallest: { '8/at-dot-underscore-user-name': /"_" at 0$/ },
    runs: 5,
  },
  {
    name: 'an alphanumeric name may have no digits',
    under: 'alphanumeric names',
    behaviour: { allowsUserName: (userName) => !/[^A-Za-z]/.test(userName) },
    failed: ['8-alphanumeric-user-names'],
    smallest: { '8/alphanumeric-user-name': /"0" at 0$/ },
    runs: 20,
  },
  {
    name: 'any name may have no space',
    behaviour: { allowsUserName: (userName) => !userName.includes(' ') },
    failed: ['8-alphanumeric-user-names'],
    smallest: { '8/any-user-name': /" " at 1$/ },
  },
]
