import fc from 'fast-check'
import { plain } from '../exchange/redactable-text.js'
import { mutations, OBJECT_MEMBERS, splice } from './characters.js'
import type { Generator } from './generator.js'
import { hasUnsupportedGrantType } from './oracle.js'

const RIGHT = 'password'
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz_'
const LETTERS = [...RIGHT]

/** 4.1-grant_type: only the exact string `password`, and what the target declares, is supported. */
export const unsupportedGrantType: Generator<string> = {
  name: 'unsupported-grant-type',
  statement:
    'grant types near `password` and near declared ones, those of other flows, and any text up to 256 characters',
  examples: ({ deployment: { additionalGrantTypes: declared } }) => {
    const near = declared.slice(0, MAX_DECLARED).flatMap(nearMissesOf)
    return [...new Set([...LIKELIEST, ...near, ...NEAR_MISSES])].filter(
      (type) => type !== RIGHT && type.length <= MAX_LENGTH && !declared.includes(type),
    )
  },
  arbitrary: () => RANDOM,
  bind: plain,
  show: (value) => value,
  inScope: hasUnsupportedGrantType,
}

const MAX_LENGTH = 256
/** Of more, the others are taken to be looked up alike. */
const MAX_DECLARED = 3

/** What a service takes for a declared grant type that compares its case, beginning or end carelessly. */
function nearMissesOf(type: string): readonly string[] {
  const other = type === type.toUpperCase() ? type.toLowerCase() : type.toUpperCase()
  // Of a URN, case does not count in all parts (RFC 8141, section 3).
  const ends = [`${type}s`, type.slice(0, -1), `${type.slice(0, -1)}0`, `x${type}`, type.slice(1)]
  return [...(/^urn:/i.test(type) ? [] : [other]), ...ends]
}

/** One of each kind of mistake: first those of which none is made by a service that makes another. */
const LIKELIEST: readonly string[] = [
  ...[
    'PASSWORD',
    'client_credentials',
    'refresh_token',
    '',
    'null',
    'constructor',
    'passwor',
    'password,password',
    'drowssap',
    'password\n',
    'password\0',
    '\ufeffpassword',
    'ｐａｓｓｗｏｒｄ',
    'pässword',
    'urn:ietf:params:oauth:grant-type:password',
    'x'.repeat(40),
    'x'.repeat(256),
    '%70assword',
  ],
  ...[
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'authorization_code',
    'xassword',
    'passwords',
    'xpassword',
    'pass-word',
    'password ',
    'pass\u200bword',
    'paſſword',
    ' password',
    RIGHT.repeat(2),
  ],
]

const NEAR_MISSES: readonly string[] = [
  ...LIKELIEST,
  ...['Password', 'passworD'],
  ...OBJECT_MEMBERS,
  ...['password ', ' password', 'password\t', 'password\n', 'password\r\n', 'password\0'],
  ...['password\ufeff', '\ufeffpassword', 'password\u00a0'],
  'ｐａｓｓｗｏｒｄ',
  'paſſword', // upper-cases to PASSWORD
  'pässword', // the same to a collation that ignores accents
  ...['pass\u00adword', 'pass\u200bword'], // and to one that ignores what has no width
  ...LETTERS.map((_, at) => splice(LETTERS, at, 1, '')),
  ...LETTERS.map((_, at) => splice(LETTERS, at, 1, 'z')),
  ...['xpassword', 'passwords', 'password1', 'pass word', 'pass_word', 'pass-word', 'password,password'],
  ...[...';&=+./'].map((sign) => RIGHT + sign),
  '"password"',
  '%70assword', // becomes the right one when decoded twice
  ...['drowssap', '', ' ', '0', '*', 'null'],
  ...['client_credentials', 'refresh_token', 'authorization_code', 'implicit', 'pwd', 'ropc'],
  'http://auth0.com/oauth/grant-type/password-realm',
  ...['password', 'jwt-bearer', 'device_code', 'token-exchange'].map(
    (type) => `urn:ietf:params:oauth:grant-type:${type}`,
  ),
  RIGHT.repeat(2),
  ...[40, 64, 128, 200, 255, 256].flatMap((length) => [RIGHT.padEnd(length, RIGHT), 'x'.repeat(length)]),
]

const RANDOM = fc.oneof(
  mutations(RIGHT, ALPHABET),
  fc
    .tuple(fc.constantFrom(...NEAR_MISSES), fc.nat(255))
    .chain(([near]) => mutations(near.slice(0, 250), ALPHABET)),
  fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 64, size: 'max' }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 256, size: 'max' }),
  fc
    .string({ unit: 'grapheme', maxLength: 80, size: 'max' })
    .filter((text) => text === text.normalize('NFC') && text.length <= MAX_LENGTH),
)
