import fc, { type Arbitrary } from 'fast-check'
import { accounts } from './oracle-state.js'

/** UTF-8 as bytes, one a character. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Any bytes. */
export function anyBytes(maxLength: number): Arbitrary<string> {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'))
}

/** A spelling of a text in a form: which characters are escaped, and how, is free but for those that must be. */
function encoded(text: string, style: number): string {
  return [...bytesOf(text)]
    .map((byte, index) => {
      const mustEscape = /[&=+%]/.test(byte)
      if (byte === ' ' && (style + index) % 2 === 0) return '+'
      if (!mustEscape && (style >> (index % 24)) % 2 === 0) return byte
      const hex = byte.charCodeAt(0).toString(16).padStart(2, '0')
      return `%${style % 2 === 0 ? hex : hex.toUpperCase()}`
    })
    .join('')
}

const someone = fc.constantFrom(...accounts)

/** A user name and a password that may belong together. */
const credentials = fc.oneof(
  { weight: 4, arbitrary: someone.map(({ userName, password }) => [userName, password] as const) },
  fc.tuple(someone, someone).map(([{ userName }, { password }]) => [userName, password] as const),
  fc
    .tuple(
      someone,
      fc.constantFrom('', ' ', 'secret-1', 'Secret-1 ', 'Secret-1\0', '\ufeffSecret-1', 'x'.repeat(900)),
    )
    .map(([{ userName }, password]) => [userName, password] as const),
  fc.tuple(
    fc.constantFrom('', 'Ann', 'ann ', 'ann\0', '__proto__', 'constructor', 'Zoe\u0308', 'n'.repeat(900)),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  ),
)

const grantType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('password') },
  fc.constantFrom(
    '',
    'Password',
    'password ',
    ' password',
    'passwor',
    'password\0',
    '\ufeffpassword',
    'refresh_token',
    'client_credentials',
    'password,password',
    'ｐａｓｓｗｏｒｄ',
  ),
)

/** Pairs that are not those of a token request, some of which cannot be read. */
const strangePair = fc.oneof(
  fc.constantFrom(
    '',
    '=',
    '&&',
    'x=1',
    'scope=',
    'Username=ann',
    'GRANT_TYPE=password',
    'grant_type[]=password',
  ),
  fc.constantFrom(
    'username=ann',
    'password=Secret-1',
    'grant_type=password',
    'grant_type',
    'username',
    'password',
  ),
  fc.constantFrom(
    '%',
    'x=%',
    'x=%4',
    'x=%zz',
    'x=%u0041',
    '%ff=x',
    'x=%C0%AF',
    'x=%ED%A0%80',
    'x=\xff',
    'x=%F4%90%80%80',
    '\xef\xbb\xbfgrant_type=password',
    'x=\0',
  ),
  fc.constantFrom('a=1&'.repeat(998).slice(0, -1), `${'n'.repeat(2000)}=1`, `x=${'%41'.repeat(600)}`),
  anyBytes(12),
)

/** Forms for `/Token`, most of them with a good deal right. */
export const formBody: Arbitrary<string> = fc
  .record({
    grant: grantType,
    credentials,
    style: fc.nat(2 ** 24),
    strange: fc.array(strangePair, { maxLength: 2 }),
    keep: fc.integer({ min: 0, max: 11 }),
    turn: fc.nat(5),
  })
  .map(({ grant, credentials: [userName, password], style, strange, keep, turn }) => {
    const pairs = [
      ['grant_type', grant],
      ['username', userName],
      ['password', password],
    ].map(([name = '', value = '']) => `${encoded(name, turn === 5 ? style : 0)}=${encoded(value, style)}`)
    // Mostly all three of them; now and then one is missing.
    const kept = pairs.filter((_, index) => index !== keep)
    const all = turn < 3 ? kept : [...strange, ...kept]
    return [...all.slice(turn % 3), ...all.slice(0, turn % 3)].join('&')
  })
