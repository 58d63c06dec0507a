import { type FormBody, formValues, parseForm } from '../../reference/http/form.js'
import { breaking, type Mutant } from './mutant.js'
import type { Override } from './overrides.js'

const violates = ['4.1-form-encoding']
/** Accounts whose password has such characters, the main account among them, are not let in at all. */
const collateral = ['1-exchange', '4.1-R3', '5-R1', '8-R1']

/** 4.1: the body's pairs are form-decoded. */
export const formMutants: readonly Mutant[] = [
  ...breaking({ violates, collateral })({
    'plus-stays: `+` is not decoded to a space.': decoding((text) => percentDecode(text)),
  }),
  ...breaking(violates)({
    'percent-20-stays: `%20` is not decoded to a space.': decoding((text) =>
      percentDecode(spaces(text), /%(?!20)[0-9A-F]{2}/gi),
    ),
    'lower-case-escapes-stay: Escapes with lower-case digits are not decoded.': {
      behaviour: decoding((text) => percentDecode(spaces(text), /%[0-9A-F]{2}/g)),
      smallest: { '4.1/form-special-characters': /"lowerCaseHex":true/ },
    },
    'escaped-letters-stay: Escapes of letters, which need none, are not decoded.': decoding((text) =>
      percentDecode(spaces(text), /%(?![46][1-9A-F]|[57][0-9A])[0-9A-F]{2}/gi),
    ),
  }),
  ...breaking({ violates, collateral })({
    'form-read-as-latin-1: Escapes are taken for ISO 8859-1.': decoding((text) =>
      spaces(text).replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
    'only-ascii-decoded: Escapes of other than ASCII characters become question marks.': decoding((text) =>
      percentDecode(spaces(text)).replace(/[^\0-\x7f]/gu, '?'),
    ),
  }),
  ...breaking({ violates: [...violates, '4.1-grant_type'], collateral })({
    // The grant type `%70assword` becomes the right one.
    'decoded-twice: Values are decoded twice.': {
      behaviour: decoding((text) => {
        const once = percentDecode(spaces(text))
        return percentDecode(once)
      }),
      smallest: { '4.1/unknown-grant-type': /^%70assword$/ },
    },
  }),
  ...breaking({ violates, collateral })({
    'plus-decoded-after-escapes: `%2B` becomes a space.': decoding((text) => spaces(percentDecode(text))),
    'decoded-before-split: The body is decoded before it is split into pairs.': () => ({
      parseForm: (bytes) =>
        formOf(
          percentDecode(spaces(latin1(bytes)))
            .split('&')
            .map(splitPair),
        ),
    }),
  }),
  ...breaking(violates)({
    'names-stay-escaped: The names of the pairs are not decoded.': () => ({
      parseForm: (bytes) =>
        formOf(
          latin1(bytes)
            .split('&')
            .map(splitPair)
            .map(([name, value]): SplitPair => [name, percentDecode(spaces(value))]),
        ),
    }),
    'grant-type-first: grant_type is read only where it comes first.': {
      behaviour: () => ({
        parseForm: (bytes) => {
          const form = parseForm(bytes)
          const [first] = form.pairs
          const isFirst = first?.[0] === 'grant_type' || form.pairs.every(([name]) => name !== 'grant_type')
          return isFirst ? form : { ...form, pairs: form.pairs.filter(([name]) => name !== 'grant_type') }
        },
      }),
      smallest: {
        '4.1/form-encoding':
          /"plusForSpace":false,"lowerCaseHex":false,"escapeEvery":0,"salt":0,"order":[1245]\}$/,
      },
    },
    'username-before-password: A password that comes before the user name is overlooked.': () => ({
      parseForm: (bytes) => {
        const form = parseForm(bytes)
        const names = form.pairs.map(([name]) => name)
        const isUsual = names.indexOf('password') > names.indexOf('username')
        return isUsual ? form : { ...form, pairs: form.pairs.filter(([name]) => name !== 'password') }
      },
    }),
  }),
  ...breaking({ violates, collateral })({
    'password-cut-at-ampersand: A password ends at a decoded ampersand.': () => ({
      formValues: (form, name) =>
        formValues(form, name).map((value) => (name === 'password' ? (value.split('&')[0] ?? '') : value)),
    }),
  }),
]

type SplitPair = readonly [name: string, value: string]

function decoding(decode: (text: string) => string): Override {
  return () => ({
    parseForm: (bytes) =>
      formOf(
        latin1(bytes)
          .split('&')
          .map(splitPair)
          .map(([name, value]): SplitPair => [decode(name), decode(value)]),
      ),
  })
}

function formOf(pairs: readonly SplitPair[]): FormBody {
  return { pairs: pairs.filter(([name]) => name !== ''), malformed: false }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function splitPair(pair: string): SplitPair {
  const [name = '', ...rest] = pair.split('=')
  return [name, rest.join('=')]
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
