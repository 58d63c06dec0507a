import type { LoginAttempt } from '../../reference/behaviour.js'
import { breaking, type Mutant } from './mutant.js'
import type { Override } from './overrides.js'

/** 8-R1: what was registered logs in; 4.1-credentials: and no other password does. */
export const storedPasswordMutants: readonly Mutant[] = [
  ...breaking(['4.1-credentials'])({
    'password-in-latin-1: What ISO 8859-1 cannot hold of a password is stored as a question mark.': hashed(
      (text) => text.replace(/[^\0-\xff]/gu, '?'),
    ),
    'password-of-low-bytes: Of each character of a password the low byte is stored.': hashed((text) =>
      Buffer.from(text, 'latin1').toString('latin1'),
    ),
    'password-of-16-bits: A password ends at a character beyond 16 bits, as in `utf8` of MySQL.': hashed(
      (text) => text.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
    ),
    'password-without-accents: Accents in a password are ignored.': hashed((text) =>
      text.normalize('NFD').replace(/\p{M}/gu, ''),
    ),
    'password-with-single-spaces: Spaces in a row in a password count as one.': hashed((text) =>
      text.replace(/ +/g, ' '),
    ),
    'password-of-100-characters: Passwords are cut to 100 characters.': hashed((text) => text.slice(0, 100)),
  }),
  ...breaking(['8-R1'])({
    'password-stripped-at-login: White space around a password is dropped at the login alone.': lost(
      (password) => password.trim() !== password,
    ),
    'password-composed-at-login: A password is composed (NFC) at the login alone.': lost(
      (password) => password.normalize() !== password,
    ),
    'password-made-compatible-at-login: A password is brought to NFKC at the login alone.': lost(
      (password) => password.normalize('NFKC') !== password.normalize(),
    ),
    'password-in-latin-1-at-login: What ISO 8859-1 cannot hold of a password is lost at the login.': lost(
      (password) => /[^\0-\xff]/u.test(password),
    ),
    'emoji-in-password-lost: An account whose password has a character beyond 16 bits cannot log in.': lost(
      (password) => /[\u{10000}-\u{10ffff}]/u.test(password),
    ),
    'spaces-in-password-joined-at-login: Spaces in a row in a password are one at the login alone.': lost(
      (password) => password.includes('  '),
    ),
    'password-of-64-at-login: A password is cut to 64 characters at the login alone.': lost(
      (password) => password.length > 64,
    ),
    'password-of-100-at-login: A password is cut to 100 characters at the login alone.': lost(
      (password) => password.length > 100,
    ),
  }),
]

function hashed(passwordAsHashed: (password: string) => string): Override {
  return () => ({ passwordAsHashed })
}

/** Accounts that were registered with such a password cannot log in. Those of the start have no e-mail address. */
function lost(isLost: (password: string) => boolean): Override {
  return () => ({
    signIn: ({ matches, account, password = '' }: LoginAttempt) =>
      matches && (account?.email === undefined || !isLost(password)) ? account : undefined,
  })
}
