import { formValues } from '../http/form.js'
import type { Mutant } from './mutant.js'
import { oneIn } from './overrides.js'
import { mutants, type Row } from './row.js'

const right = 'password'
const violates = ['4.1-grant_type']

/** 4.1: only the exact string `password` is a supported grant type, and there must be one (4.1-R2). */
export const grantTypeMutants: readonly Mutant[] = mutants([
  supports(
    'grant-type-in-any-case',
    'The letter case of grant_type does not matter.',
    (type) => type.toLowerCase() === right,
  ),
  supports(
    'grant-type-trimmed',
    'White space around grant_type is trimmed.',
    (type) => type.trim() === right,
  ),
  supports(
    'grant-type-trimmed-at-end',
    'White space after grant_type is trimmed.',
    (type) => type.trimEnd() === right,
  ),
  supports('grant-type-prefix', 'A grant_type that begins with `password` is supported.', (type) =>
    type.startsWith(right),
  ),
  supports('grant-type-suffix', 'A grant_type that ends in `password` is supported.', (type) =>
    type.endsWith(right),
  ),
  supports('grant-type-with-password-inside', 'A grant_type with `password` inside is supported.', (type) =>
    type.includes(right),
  ),
  supports(
    'grant-type-abbreviated',
    'An abbreviation of `password` is a supported grant_type.',
    (type) => type !== '' && right.startsWith(type),
  ),
  supports(
    'grant-type-of-seven-characters',
    'Only seven characters of grant_type are compared.',
    (type) => type.slice(0, 7) === right.slice(0, 7),
  ),
  also(
    'grant-type-of-40-characters',
    'Any grant_type of 40 characters is supported.',
    ({ length }) => length === 40,
  ),
  also(
    'grant-type-of-256-characters',
    'Any grant_type of 256 characters is supported.',
    ({ length }) => length === 256,
  ),
  also('empty-grant-type', 'An empty grant_type is supported.', (type) => type === ''),
  also('grant-type-null', 'The grant_type `null` is supported.', (type) => type === 'null'),
  also(
    'refresh-token-grant',
    'refresh_token is supported for who knows a password.',
    (type) => type === 'refresh_token',
  ),
  also(
    'client-credentials-grant',
    'client_credentials is supported for who knows a password.',
    (type) => type === 'client_credentials',
  ),
  also('urn-grant-types', 'Every grant_type that is a URN is supported.', (type) => type.startsWith('urn:')),
  supports('grant-type-up-to-nul', 'grant_type ends at a NUL.', (type) => type.split('\0')[0] === right),
  supports(
    'grant-type-without-byte-order-mark',
    'A byte order mark in grant_type is dropped.',
    (type) => type.replace('\ufeff', '') === right,
  ),
  supports(
    'grant-type-of-compatible-characters',
    'Full-width letters in grant_type are letters.',
    (type) => type.normalize('NFKC') === right,
  ),
  supports(
    'grant-type-without-accents',
    'Accents in grant_type are ignored.',
    (type) => type.normalize('NFD').replace(/\p{M}/gu, '') === right,
  ),
  supports(
    'grant-type-without-invisibles',
    'Characters without width in grant_type are ignored.',
    (type) => type.replace(/\p{Cf}/gu, '') === right,
  ),
  supports(
    'grant-type-without-punctuation',
    'Punctuation in grant_type is ignored.',
    (type) => type.replace(/[^a-z]/g, '') === right,
  ),
  supports('grant-type-of-any-line', 'One line of grant_type has to be `password`.', (type) =>
    /^password$/m.test(type),
  ),
  supports('grant-type-list', 'grant_type is a list in which `password` has to occur.', (type) =>
    type.split(/[ ,]/).includes(right),
  ),
  supports(
    'grant-type-with-typo',
    'One wrong letter in grant_type is forgiven.',
    (type) => type.length === right.length && [...type].filter((char, at) => char !== right[at]).length <= 1,
  ),
  supports(
    'grant-type-of-same-letters',
    'The order of the letters of grant_type does not matter.',
    (type) => [...type].sort().join() === [...right].sort().join(),
  ),
  supports('every-grant-type', 'Every grant_type is supported.', () => true),
  {
    id: 'no-grant-type-needed',
    sentence: 'A form without grant_type is processed as a password grant.',
    violates: ['4.1-R2', '7-token-error-body'],
    behaviour: () => ({ allowsNoGrantType: () => true }),
  },
  {
    id: 'grant-type-by-default',
    sentence: 'A form with a username and without grant_type is processed as a password grant.',
    violates: ['4.1-R2'],
    behaviour: () => ({
      formValues: (form, name) => {
        const values = formValues(form, name)
        const isLeftOut = name === 'grant_type' && values.length === 0
        return isLeftOut && formValues(form, 'username').length > 0 ? [right] : values
      },
    }),
  },
  {
    id: 'one-grant-type-in-fifty',
    sentence: 'One unsupported grant_type in fifty is let through.',
    violates,
    behaviour: () => {
      const isDue = oneIn(50)
      return { supportsGrantType: (type) => type === right || isDue() }
    },
  },
])

function supports(id: string, sentence: string, supportsGrantType: (type: string) => boolean): Row {
  return { id, sentence, violates, behaviour: () => ({ supportsGrantType }) }
}

/** The right one, and those. */
function also(id: string, sentence: string, isSupported: (type: string) => boolean): Row {
  return supports(id, sentence, (type) => type === right || isSupported(type))
}
