import fc from 'fast-check'
import { plain } from '../session/text.js'
import type { Generator } from './generator.js'
import { mutations } from './mutations.js'
import { hasUnsupportedGrantType } from './oracle.js'

const RIGHT = 'password'
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz_'

const OTHER_GRANTS = [
  'client_credentials',
  'refresh_token',
  'authorization_code',
  'implicit',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]

/** 4.1-grant_type: only the exact string `password`, and what the target declares, is supported. */
export const unsupportedGrantType: Generator<string> = {
  name: 'unsupported-grant-type',
  statement: 'grant types near `password`, those of other flows, and any text up to 256 characters',
  examples: () => EXAMPLES,
  arbitrary: () => ARBITRARY,
  bind: plain,
  show: (value) => value,
  promises: hasUnsupportedGrantType,
}

const EXAMPLES: readonly string[] = [
  'PASSWORD',
  'Password',
  'passworD',
  'password ',
  ' password',
  'password\t',
  'password\n',
  'password\r\n',
  'password\0',
  'password\ufeff',
  '\ufeffpassword',
  'password\u00a0',
  'ｐａｓｓｗｏｒｄ',
  'paſſword', // upper-cases to PASSWORD
  'pässword', // the same to a collation that ignores accents
  'pass\u00adword', // and to one that ignores what has no width
  'pass\u200bword',
  ...dropEach(RIGHT),
  ...changeEach(RIGHT),
  'xpassword',
  'passwords',
  'password1',
  'pass word',
  'pass_word',
  'pass-word',
  'password,password',
  'password;',
  'password&',
  'password=',
  'password+',
  'password.',
  'password/',
  '"password"',
  '%70assword', // becomes the right one when decoded twice
  'drowssap',
  '',
  ' ',
  '0',
  '*',
  'null',
  ...OTHER_GRANTS,
  RIGHT.repeat(2),
  ...[40, 64, 128, 200, 255, 256].flatMap((length) => [RIGHT.padEnd(length, RIGHT), 'x'.repeat(length)]),
]

const ARBITRARY = fc.oneof(
  mutations(RIGHT, ALPHABET),
  fc
    .tuple(fc.constantFrom(...EXAMPLES), fc.nat(255))
    .chain(([near]) => mutations(near.slice(0, 250), ALPHABET)),
  fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 64, size: 'max' }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 256, size: 'max' }),
  fc
    .string({ unit: 'grapheme', maxLength: 80, size: 'max' })
    .filter((text) => text === text.normalize('NFC') && text.length <= 256),
)

function dropEach(text: string): string[] {
  return [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1))
}

function changeEach(text: string): string[] {
  return [...text].map((char, at) => text.slice(0, at) + (char === 'z' ? 'q' : 'z') + text.slice(at + 1))
}
