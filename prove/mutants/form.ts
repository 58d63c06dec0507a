import { type FormBody, formValues, parseForm } from '../../reference/http/form.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { lostAtLogin } from './registration.js'
import type { Override } from './rows.js'

const violates = ['4.1-form-encoding']
/** Accounts whose password has such characters, the main account among them, are not let in at all. */
const collateral = ['1-exchange', '4.1-R3', '5-R1', '8-R1']

/** 4.1: the body's pairs are form-decoded. */
export const formMutants: readonly Mutant[] = [
  ...breaking({ violates, collateral }, asIs, {
    'plus-stays: `+` is not decoded to a space.': decoding((text) => percentDecode(text)),
  }),
  ...breaking(violates, decoding, {
    'percent-20-stays: `%20` is not decoded to a space.': (text) =>
      percentDecode(spaces(text), /%(?!20)[0-9A-F]{2}/gi),
    'lower-case-escapes-stay: Escapes with lower-case digits are not decoded.': {
      behaviour: (text) => percentDecode(spaces(text), /%[0-9A-F]{2}/g),
      smallest: { '4.1/form-special-characters': /"lowerCaseHex":true/ },
    },
    'escaped-letters-stay: Escapes of letters, which need none, are not decoded.': (text) =>
      percentDecode(spaces(text), /%(?![46][1-9A-F]|[57][0-9A])[0-9A-F]{2}/gi),
  }),
  ...breaking({ violates, collateral }, decoding, {
    'form-read-as-latin-1: Escapes are taken for ISO 8859-1.': (text) =>
      spaces(text).replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'only-ascii-decoded: Escapes of other than ASCII characters become question marks.': (text) =>
      percentDecode(spaces(text)).replace(/[^\0-\x7f]/gu, '?'),
  }),
  ...breaking({ violates: [...violates, '4.1-grant_type'], collateral }, asIs, {
    // The grant type `%70assword` becomes the right one.
    'decoded-twice: Values are decoded twice.': {
      behaviour: decoding((text) => percentDecode(percentDecode(spaces(text)))),
      smallest: { '4.1/unknown-grant-type': /^%70assword$/ },
    },
  }),
  ...breaking({ violates, collateral }, asIs, {
    'plus-decoded-after-escapes: `%2B` becomes a space.': decoding((text) => spaces(percentDecode(text))),
    'decoded-before-split: The body is decoded before it is split into pairs.': {
      parseForm: (bytes) => formOf(percentDecode(spaces(latin1(bytes)))),
    },
  }),
  ...breaking(violates, asIs, {
    'names-stay-escaped: The names of the pairs are not decoded.': decoding(
      (value) => percentDecode(spaces(value)),
      (name) => name,
    ),
    'grant-type-first: grant_type is read only where it comes first.': {
      behaviour: parsed((form, names) => (names[0] === 'grant_type' ? form : without('grant_type', form))),
      smallest: {
        '4.1/form-encoding':
          /"plusForSpace":false,"lowerCaseHex":false,"escapeEvery":0,"salt":0,"order":[1245]\}$/,
      },
    },
    'username-before-password: A password that comes before the user name is overlooked.': parsed(
      (form, names) =>
        names.indexOf('password') > names.indexOf('username') ? form : without('password', form),
    ),
  }),
  ...breaking({ violates, collateral }, asIs, {
    'password-cut-at-ampersand: A password ends at a decoded ampersand.': {
      formValues: (form, name) =>
        formValues(form, name).map((value) => (name === 'password' ? (value.split('&')[0] ?? '') : value)),
    },
  }),
  // Of the accounts that the target declares none shows it.
  ...breaking([...violates, '8-R1'], lostAtLogin, {
    'ampersand-in-new-password-lost: A password with `&` that was registered is not read from a form.': /&/,
    'plus-in-new-password-lost: A password with `+` that was registered is not read from a form.': /\+/,
  }),
]

function parsed(change: (form: FormBody, names: readonly string[]) => FormBody): Override {
  return {
    parseForm: (bytes) => {
      const form = parseForm(bytes)
      return change(
        form,
        form.pairs.map(([name]) => name),
      )
    },
  }
}

function without(parameter: string, form: FormBody): FormBody {
  return { ...form, pairs: form.pairs.filter(([name]) => name !== parameter) }
}

type Decode = (text: string) => string

function decoding(decode: Decode, decodeName = decode): Override {
  return { parseForm: (bytes) => formOf(latin1(bytes), decode, decodeName) }
}

function formOf(text: string, decode: Decode = (value) => value, decodeName = decode): FormBody {
  const pairs = text.split('&').map((pair): [string, string] => {
    const [name = '', ...rest] = pair.split('=')
    return [decodeName(name), decode(rest.join('='))]
  })
  return { pairs: pairs.filter(([name]) => name !== ''), malformed: false }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function spaces(text: string): string {
  return text.replaceAll('+', ' ')
}

function percentDecode(text: string, escapes = /%[0-9A-F]{2}/gi): string {
  const bytes = text
    .replaceAll(/[^\0-\x7f]/gu, (char) => Buffer.from(char).toString('latin1'))
    .replace(escapes, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
