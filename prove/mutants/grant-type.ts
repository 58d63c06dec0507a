import { formValues } from '../../reference/http/form.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { answers, oneIn, passes, type TextTest } from './overrides.js'
import type { Override } from './rows.js'

const right = 'password'
const violates = ['4.1-grant_type']

/** 4.1: only the exact string `password` is a supported grant type, and there must be one (4.1-R2). */
export const grantTypeMutants: readonly Mutant[] = [
  ...breaking(violates, also, {
    'grant-type-in-any-case: The letter case of grant_type does not matter.': /^password$/i,
    'grant-type-trimmed: White space around grant_type is trimmed.': {
      behaviour: /^\s*password\s*$/,
      smallest: { '4.1/unknown-grant-type': /^(password\s|\spassword)$/u },
    },
    'grant-type-trimmed-at-end: White space after grant_type is trimmed.': /^password\s*$/,
    'grant-type-prefix: A grant_type that begins with `password` is supported.': /^password/,
    'grant-type-suffix: A grant_type that ends in `password` is supported.': /password$/,
    'grant-type-with-password-inside: A grant_type with `password` inside is supported.': /password/,
    'grant-type-abbreviated: An abbreviation of `password` is a supported grant_type.': (type) =>
      type !== '' && right.startsWith(type),
    'grant-type-of-seven-characters: Only seven characters of grant_type are compared.': /^passwor/,
    'grant-type-of-40-characters: Any grant_type of 40 characters is supported.': ({ length }) =>
      length === 40,
    'grant-type-of-256-characters: Any grant_type of 256 characters is supported.': ({ length }) =>
      length === 256,
    'empty-grant-type: An empty grant_type is supported.': /^$/,
    'grant-type-null: The grant_type `null` is supported.': /^null$/,
    'refresh-token-grant: refresh_token is supported when the password is right.': /^refresh_token$/,
    'client-credentials-grant: client_credentials is supported when the password is right.':
      /^client_credentials$/,
    'urn-grant-types: Every grant_type that is a URN is supported.': /^urn:/,
    'grant-type-up-to-nul: grant_type ends at a NUL.': /^password\0/,
    'grant-type-without-byte-order-mark: A byte order mark in grant_type is dropped.': (type) =>
      type.replace('\ufeff', '') === right,
    'grant-type-of-compatible-characters: Full-width letters in grant_type are letters.': (type) =>
      type.normalize('NFKC') === right,
    'grant-type-without-accents: Accents in grant_type are ignored.': (type) =>
      type.normalize('NFD').replace(/\p{M}/gu, '') === right,
    'grant-type-without-invisibles: Characters without width in grant_type are ignored.': (type) =>
      type.replace(/\p{Cf}/gu, '') === right,
    'grant-type-without-punctuation: Punctuation in grant_type is ignored.': (type) =>
      type.replace(/[^a-z]/g, '') === right,
    'grant-type-of-any-line: A grant_type with one line `password` is supported.': /^password$/m,
    'grant-type-list: A list of grant types that contains `password` is supported.': (type) =>
      type.split(/[ ,]/).includes(right),
    'grant-type-with-typo: One wrong letter in grant_type is accepted.': (type) =>
      type.length === right.length && [...type].filter((char, at) => char !== right[at]).length <= 1,
    'grant-type-of-same-letters: The order of the letters of grant_type does not matter.': (type) =>
      [...type].sort().join() === [...right].sort().join(),
    'grant-type-of-object-members: Names of object members, such as `constructor`, are accepted as grant types.':
      (type) => type in {},
    'password-grant-by-urn: A URN that ends in `:password` is a supported grant_type.': /^urn:.*:password$/,
    'every-grant-type: Every grant_type is supported.': {
      behaviour: /^/,
      // Without credentials it is refused by their error.
      collateral: ['7-token-error-body'],
    },
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], asIs, {
    'no-grant-type-needed: A form without grant_type is processed as a password grant.': {
      allowsNoGrantType: () => true,
    },
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], asIs, {
    'grant-type-by-default: A form with a username and without grant_type is processed as a password grant.':
      {
        formValues: (form, name) => {
          const values = formValues(form, name)
          const isLeftOut = name === 'grant_type' && values.length === 0
          return isLeftOut && formValues(form, 'username').length > 0 ? [right] : values
        },
      },
  }),
  ...breaking(['4.1-R2'], takenForIt, {
    'grant-type-in-brackets: A parameter `grant_type[]` is read as grant_type.': 'grant_type[]',
    'grant-type-with-index: A parameter `grant_type[0]` is read as grant_type.': 'grant_type[0]',
    'grant-type-with-dot: A dot in the name of a parameter becomes an underscore.': 'grant.type',
    'grant-type-in-camel-case: The parameter may be named `grantType`.': 'grantType',
    'grant-type-named-type: The parameter may be named `type`.': 'type',
    'grant-type-with-space: A space in the name of a parameter becomes an underscore.': 'grant type',
  }),
  ...breaking(['4.1-R2'], asIs, {
    'grant-type-by-operator: A parameter `grant_type[$ne]` asks for any grant type but its value.': {
      formValues: (form, name) => {
        const isOperator = name === 'grant_type' && formValues(form, 'grant_type[$ne]').length > 0
        return isOperator ? [right] : formValues(form, name)
      },
    },
  }),
  ...breaking(['4.1-R2', '7-token-error-body'], malformed, {
    'grant-type-in-brackets-refused: A parameter `grant_type[]` is refused as malformed.': 'grant_type[]',
    'grant-type-with-index-refused: A parameter `grant_type[0]` is refused as malformed.': 'grant_type[0]',
    'grant-type-with-dot-refused: A parameter with a dot in its name is refused as malformed.': 'grant.type',
    'grant-type-with-space-refused: A parameter with a space in its name is refused as malformed.':
      'grant type',
    'grant-type-by-operator-refused: A parameter `grant_type[$ne]` is refused as malformed.':
      'grant_type[$ne]',
  }),
  ...breaking(violates, asIs, {
    'one-grant-type-in-fifty: One unsupported grant_type in fifty is accepted.': () => also(oneIn(50)),
  }),
]

/** The right one, and those. */
function also(test: TextTest): Override {
  return { supportsGrantType: (type) => type === right || passes(test, type) }
}

/** Where grant_type is left out, what such a parameter holds is taken for it. */
function takenForIt(parameter: string): Override {
  return {
    formValues: (form, name) => {
      const values = formValues(form, name)
      return name === 'grant_type' && values.length === 0 ? formValues(form, parameter) : values
    },
  }
}

/** Where a parameter of that name is there, the error is another one. */
function malformed(name: string): Override {
  return answers((answer, { body }) =>
    new URLSearchParams(Buffer.from(body).toString()).has(name)
      ? { ...answer, body: '{"error":"invalid_request"}' }
      : answer,
  )
}
