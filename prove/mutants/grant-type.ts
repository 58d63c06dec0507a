import { formValues } from '../../reference/http/form.js'
import { breaking, type Mutant } from './mutant.js'
import { answers, type Override, oneIn } from './overrides.js'

const right = 'password'
const violates = ['4.1-grant_type']

/** 4.1: only the exact string `password` is a supported grant type, and there must be one (4.1-R2). */
export const grantTypeMutants: readonly Mutant[] = [
  ...breaking(violates)({
    'grant-type-in-any-case: The letter case of grant_type does not matter.': supports(
      (type) => type.toLowerCase() === right,
    ),
    'grant-type-trimmed: White space around grant_type is trimmed.': {
      behaviour: supports((type) => type.trim() === right),
      smallest: { '4.1/unknown-grant-type': /^(password\s|\spassword)$/u },
    },
    'grant-type-trimmed-at-end: White space after grant_type is trimmed.': supports(
      (type) => type.trimEnd() === right,
    ),
    'grant-type-prefix: A grant_type that begins with `password` is supported.': supports((type) =>
      type.startsWith(right),
    ),
    'grant-type-suffix: A grant_type that ends in `password` is supported.': supports((type) =>
      type.endsWith(right),
    ),
    'grant-type-with-password-inside: A grant_type with `password` inside is supported.': supports((type) =>
      type.includes(right),
    ),
    'grant-type-abbreviated: An abbreviation of `password` is a supported grant_type.': supports(
      (type) => type !== '' && right.startsWith(type),
    ),
    'grant-type-of-seven-characters: Only seven characters of grant_type are compared.': supports(
      (type) => type.slice(0, 7) === right.slice(0, 7),
    ),
    'grant-type-of-40-characters: Any grant_type of 40 characters is supported.': also(
      ({ length }) => length === 40,
    ),
    'grant-type-of-256-characters: Any grant_type of 256 characters is supported.': also(
      ({ length }) => length === 256,
    ),
    'empty-grant-type: An empty grant_type is supported.': also((type) => type === ''),
    'grant-type-null: The grant_type `null` is supported.': also((type) => type === 'null'),
    'refresh-token-grant: refresh_token is supported when the password is right.': also(
      (type) => type === 'refresh_token',
    ),
    'client-credentials-grant: client_credentials is supported when the password is right.': also(
      (type) => type === 'client_credentials',
    ),
    'urn-grant-types: Every grant_type that is a URN is supported.': also((type) => type.startsWith('urn:')),
    'grant-type-up-to-nul: grant_type ends at a NUL.': supports((type) => type.split('\0')[0] === right),
    'grant-type-without-byte-order-mark: A byte order mark in grant_type is dropped.': supports(
      (type) => type.replace('\ufeff', '') === right,
    ),
    'grant-type-of-compatible-characters: Full-width letters in grant_type are letters.': supports(
      (type) => type.normalize('NFKC') === right,
    ),
    'grant-type-without-accents: Accents in grant_type are ignored.': supports(
      (type) => type.normalize('NFD').replace(/\p{M}/gu, '') === right,
    ),
    'grant-type-without-invisibles: Characters without width in grant_type are ignored.': supports(
      (type) => type.replace(/\p{Cf}/gu, '') === right,
    ),
    'grant-type-without-punctuation: Punctuation in grant_type is ignored.': supports(
      (type) => type.replace(/[^a-z]/g, '') === right,
    ),
    'grant-type-of-any-line: A grant_type with one line `password` is supported.': supports((type) =>
      /^password$/m.test(type),
    ),
    'grant-type-list: A list of grant types that contains `password` is supported.': supports((type) =>
      type.split(/[ ,]/).includes(right),
    ),
    'grant-type-with-typo: One wrong letter in grant_type is accepted.': supports(
      (type) =>
        type.length === right.length && [...type].filter((char, at) => char !== right[at]).length <= 1,
    ),
    'grant-type-of-same-letters: The order of the letters of grant_type does not matter.': supports(
      (type) => [...type].sort().join() === [...right].sort().join(),
    ),
    'grant-type-of-object-members: Names of object members, such as `constructor`, are accepted as grant types.':
      also((type) => type in {}),
    'every-grant-type: Every grant_type is supported.': supports(() => true),
  }),
  ...breaking(['4.1-R2', '7-token-error-body'])({
    'no-grant-type-needed: A form without grant_type is processed as a password grant.': () => ({
      allowsNoGrantType: () => true,
    }),
  }),
  ...breaking(['4.1-R2'])({
    'grant-type-by-default: A form with a username and without grant_type is processed as a password grant.':
      () => ({
        formValues: (form, name) => {
          const values = formValues(form, name)
          const isLeftOut = name === 'grant_type' && values.length === 0
          return isLeftOut && formValues(form, 'username').length > 0 ? [right] : values
        },
      }),
    'grant-type-in-brackets: A parameter `grant_type[]` is read as grant_type.': named(
      (name) => name === 'grant_type[]',
    ),
    'grant-type-with-index: A parameter `grant_type[0]` is read as grant_type.': named(
      (name) => name === 'grant_type[0]',
    ),
    'grant-type-with-dot: A dot in the name of a parameter becomes an underscore.': named(
      (name) => name === 'grant.type',
    ),
    'grant-type-with-space: A space in the name of a parameter becomes an underscore.': named(
      (name) => name === 'grant type',
    ),
    'grant-type-by-operator: A parameter `grant_type[$ne]` asks for any grant type but its value.': () => ({
      formValues: (form, name) => {
        const isOperator = name === 'grant_type' && formValues(form, 'grant_type[$ne]').length > 0
        return isOperator ? [right] : formValues(form, name)
      },
    }),
  }),
  ...breaking(['4.1-R2', '7-token-error-body'])({
    'grant-type-in-brackets-refused: A parameter `grant_type[]` is refused as malformed.':
      malformed('grant_type[]'),
    'grant-type-with-index-refused: A parameter `grant_type[0]` is refused as malformed.':
      malformed('grant_type[0]'),
    'grant-type-with-dot-refused: A parameter with a dot in its name is refused as malformed.':
      malformed('grant.type'),
    'grant-type-with-space-refused: A parameter with a space in its name is refused as malformed.':
      malformed('grant type'),
    'grant-type-by-operator-refused: A parameter `grant_type[$ne]` is refused as malformed.':
      malformed('grant_type[$ne]'),
  }),
  ...breaking(violates)({
    'one-grant-type-in-fifty: One unsupported grant_type in fifty is accepted.': () => {
      const isDue = oneIn(50)
      return { supportsGrantType: (type) => type === right || isDue() }
    },
  }),
]

function supports(supportsGrantType: (type: string) => boolean): Override {
  return () => ({ supportsGrantType })
}

/** Where grant_type is left out, what such a parameter holds is taken for it. */
function named(isTakenForIt: (name: string) => boolean): Override {
  return () => ({
    formValues: (form, name) => {
      const values = formValues(form, name)
      if (name !== 'grant_type' || values.length > 0) return values
      return form.pairs.filter(([given]) => isTakenForIt(given)).map(([, value]) => value)
    },
  })
}

/** Where a parameter of that name is there, the error is another one. */
function malformed(name: string): Override {
  return answers((answer, { body }) =>
    new URLSearchParams(Buffer.from(body).toString()).has(name)
      ? { ...answer, body: '{"error":"invalid_request"}' }
      : answer,
  )
}

/** The right one, and those. */
function also(isSupported: (type: string) => boolean): Override {
  return supports((type) => type === right || isSupported(type))
}
