import { type Form, formValues, parseForm } from '../http/form.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const violates = ['4.1-form-encoding']
/** Whose password has such characters, the main account among them, is not let in at all. */
const collateral = ['1-exchange', '4.1-R3', '5-R1', '8-R1']

/** 4.1: the body's pairs are form-decoded. */
export const formMutants: readonly Mutant[] = mutants([
  decoding('plus-stays', '`+` is not decoded to a space.', (text) => percentDecode(text), collateral),
  decoding('percent-20-stays', '`%20` is not decoded to a space.', (text) =>
    percentDecode(spaces(text), /%(?!20)[0-9A-F]{2}/gi),
  ),
  decoding('lower-case-escapes-stay', 'Escapes with lower-case digits are not decoded.', (text) =>
    percentDecode(spaces(text), /%[0-9A-F]{2}/g),
  ),
  decoding('escaped-letters-stay', 'Escapes of letters, which need none, are not decoded.', (text) =>
    percentDecode(spaces(text), /%(?![46][1-9A-F]|[57][0-9A])[0-9A-F]{2}/gi),
  ),
  decoding(
    'form-read-as-latin-1',
    'Escapes are taken for ISO 8859-1.',
    (text) =>
      spaces(text).replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    collateral,
  ),
  decoding(
    'only-ascii-decoded',
    'Escapes of other than ASCII characters become question marks.',
    (text) => percentDecode(spaces(text)).replace(/[^\0-\x7f]/gu, '?'),
    collateral,
  ),
  {
    ...decoding(
      'decoded-twice',
      'Values are decoded twice.',
      (text) => {
        const once = percentDecode(spaces(text))
        return percentDecode(once)
      },
      collateral,
    ),
    // The grant type `%70assword` becomes the right one.
    violates: [...violates, '4.1-grant_type'],
  },
  decoding(
    'plus-decoded-after-escapes',
    '`%2B` becomes a space.',
    (text) => spaces(percentDecode(text)),
    collateral,
  ),
  {
    id: 'decoded-before-split',
    sentence: 'The body is decoded before it is split into pairs.',
    violates,
    collateral: collateral,
    behaviour: () => ({
      parseForm: (bytes) =>
        formOf(
          percentDecode(spaces(latin1(bytes)))
            .split('&')
            .map(splitPair),
        ),
    }),
  },
  {
    id: 'names-stay-escaped',
    sentence: 'The names of the pairs are not decoded.',
    violates,
    behaviour: () => ({
      parseForm: (bytes) =>
        formOf(
          latin1(bytes)
            .split('&')
            .map(splitPair)
            .map(([name, value]): Pair => [name, percentDecode(spaces(value))]),
        ),
    }),
  },
  {
    id: 'grant-type-first',
    sentence: 'grant_type is read only where it comes first.',
    violates,
    behaviour: () => ({
      parseForm: (bytes) => {
        const form = parseForm(bytes)
        const [first] = form.pairs
        const isFirst = first?.[0] === 'grant_type' || form.pairs.every(([name]) => name !== 'grant_type')
        return isFirst ? form : { ...form, pairs: form.pairs.filter(([name]) => name !== 'grant_type') }
      },
    }),
  },
  {
    id: 'username-before-password',
    sentence: 'A password that comes before the user name is overlooked.',
    violates,
    behaviour: () => ({
      parseForm: (bytes) => {
        const form = parseForm(bytes)
        const names = form.pairs.map(([name]) => name)
        const isUsual = names.indexOf('password') > names.indexOf('username')
        return isUsual ? form : { ...form, pairs: form.pairs.filter(([name]) => name !== 'password') }
      },
    }),
  },
  {
    id: 'password-cut-at-ampersand',
    sentence: 'A password ends at a decoded ampersand.',
    violates,
    collateral: collateral,
    behaviour: () => ({
      formValues: (form, name) =>
        formValues(form, name).map((value) => (name === 'password' ? (value.split('&')[0] ?? '') : value)),
    }),
  },
])

type Pair = readonly [name: string, value: string]

function decoding(
  id: string,
  sentence: string,
  decode: (text: string) => string,
  further: readonly string[] = [],
): Row {
  return {
    id,
    sentence,
    violates,
    collateral: further,
    behaviour: () => ({
      parseForm: (bytes) =>
        formOf(
          latin1(bytes)
            .split('&')
            .map(splitPair)
            .map(([name, value]): Pair => [decode(name), decode(value)]),
        ),
    }),
  }
}

function formOf(pairs: readonly Pair[]): Form {
  return { pairs: pairs.filter(([name]) => name !== ''), malformed: false }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function splitPair(pair: string): Pair {
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
