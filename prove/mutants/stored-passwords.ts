import { hashed } from './credentials.js'
import { breaking, type Mutant } from './mutant.js'
import { lostAtLogin } from './registration.js'

/** 8-R1: what was registered logs in; 4.1-credentials: and no other password does. */
export const storedPasswordMutants: readonly Mutant[] = [
  ...breaking(['4.1-credentials'], hashed, {
    'password-in-latin-1: What ISO 8859-1 cannot hold of a password is stored as a question mark.': (text) =>
      text.replace(/[^\0-\xff]/gu, '?'),
    'password-of-low-bytes: Of each character of a password the low byte is stored.': (text) =>
      Buffer.from(text, 'latin1').toString('latin1'),
    'password-of-16-bits: A password ends at a character beyond 16 bits, as in `utf8` of MySQL.': (text) =>
      text.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
    'password-without-accents: Accents in a password are ignored.': (text) =>
      text.normalize('NFD').replace(/\p{M}/gu, ''),
    'password-made-compatible: Passwords are brought to NFKC, stored and compared.': (text) =>
      text.normalize('NFKC'),
    'password-with-single-spaces: Spaces in a row in a password count as one.': [/ +/g, ' '],
    'password-unescaped: Escapes in a password are decoded once more, at the registration and at the login.':
      unescaped,
    'password-without-entities: Entities of HTML in a password are decoded.': (text) =>
      text.replaceAll('&amp;', '&'),
    'password-without-tags: Tags in a password are removed.': (text) => text.replace(/<[^>]*>/g, ''),
    'password-without-backslashes: Backslashes in a password are removed, as by `stripslashes` of PHP.': (
      text,
    ) => text.replaceAll('\\', ''),
    'password-without-single-quotes: Single quotes in a password are removed.': (text) =>
      text.replaceAll("'", ''),
    'password-without-double-quotes: Double quotes in a password are removed.': (text) =>
      text.replaceAll('"', ''),
    'password-up-to-number-sign: A password ends at `#`, as in a URL that it is put into as it is.': (text) =>
      text.replace(/#.*/s, ''),
    'password-up-to-colon: A password ends at a colon, as in lines of `user:password`.': (text) =>
      text.replace(/:.*/s, ''),
    'password-up-to-tag: A password ends at `<`, as by `strip_tags` of PHP.': (text) =>
      text.replace(/<.*/s, ''),
    'password-up-to-at-sign: A password ends at `@`, as in a URL that it is put into as it is.': (text) =>
      text.replace(/@.*/s, ''),
    'password-of-100-characters: Passwords are cut to 100 characters.': (text) => text.slice(0, 100),
  }),
  ...breaking(['8-R1'], lostAtLogin, {
    'password-stripped-at-login: White space around a password is dropped at the login alone.': /^\s|\s$/,
    'password-composed-at-login: A password is composed (NFC) at the login alone.': (password) =>
      password.normalize() !== password,
    'password-made-compatible-at-login: A password is brought to NFKC at the login alone.': (password) =>
      password.normalize('NFKC') !== password.normalize(),
    'password-in-latin-1-at-login: What ISO 8859-1 cannot hold of a password is lost at the login.':
      /[^\0-\xff]/u,
    'emoji-in-password-lost: An account whose password has a character beyond 16 bits cannot log in.':
      /[\u{10000}-\u{10ffff}]/u,
    'two-dollar-signs-in-password-lost: Two dollar signs in a password are stored as one, as by `replace` of JavaScript.':
      /\$\$/,
    'placeholder-in-password-lost: A placeholder in a password is filled in when it is stored.': /\$\{|\{\{/,
    'spaces-in-password-joined-at-login: Spaces in a row in a password are one at the login alone.': / {2}/,
    'password-unescaped-at-login: Escapes in a password are decoded once more at the login alone.': {
      behaviour: (password) => unescaped(password) !== password,
      collateral: ['4.1-form-encoding'],
    },
    'password-of-64-at-login: A password is cut to 64 characters at the login alone.': ({ length }) =>
      length > 64,
    'password-of-100-at-login: A password is cut to 100 characters at the login alone.': ({ length }) =>
      length > 100,
  }),
]

function unescaped(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
