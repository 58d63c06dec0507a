import { createHash } from 'node:crypto'
import t from 'tap'
import { judgeTokens, unforeseenBits } from './token-bits.js'

const COUNT = 200
const indices = Array.from({ length: COUNT }, (_, index) => index)
/** Bytes that no check could tell from random ones, the same each time. */
const noise = (index: number, bytes: number): Buffer =>
  createHash('sha512').update(`token ${index}`).digest().subarray(0, bytes)
const signed = (index: number, alg: string, signature: string): string =>
  [{ alg }, { sub: 'alice', jti: index }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(signature)
    .join('.')

const FREE: Readonly<Record<string, (index: number) => string>> = {
  '256 bits': (index) => noise(index, 32).toString('base64url'),
  'exactly 64 bits': (index) => noise(index, 8).toString('hex'),
  'a date, then 80 bits': (index) =>
    (1_700_000_000_000 + 3 * index).toString(16) + noise(index, 10).toString('hex'),
  'a date that stays for a while, then 80 bits': (index) =>
    `${1_700_000_000 + Math.floor(index / 7)}.${noise(index, 10).toString('hex')}`,
  'a signed JWT': (index) => signed(index, 'HS256', noise(index, 32).toString('base64url')),
}
const FORESEEN: Readonly<Record<string, readonly [make: (index: number) => string, actual: RegExp]>> = {
  'a counter': [(index) => `t${1000 + index}`, /^\d bits/],
  'a counter within a constant text': [
    (index) => `aaaaaaaaaaaaaaaaaaaa${1000 + index}zzzzzzzzzzzzzzzzzzzzz`,
    /^\d bits/,
  ],
  'the user name and the time in base64': [
    (index) => Buffer.from(`alice:${1_700_000_000_000 + 7 * index}`).toString('base64'),
    /^1?\d bits/,
  ],
  '48 bits': [(index) => noise(index, 6).toString('hex'), /^4[78] bits/],
  '32 bits, four times': [(index) => noise(index, 4).toString('hex').repeat(4), /^3[12] bits/],
  'one of 60 in turn': [(index) => noise(index % 60, 32).toString('hex'), /issued before/],
  'a JWT without a signature': [(index) => signed(index, 'none', ''), /no signature/],
  'a JWT that is signed by a counter': [(index) => signed(index, 'HS256', `s${1000 + index}`), /^\d bits/],
}

for (const [name, make] of Object.entries(FREE))
  t.test(`${name}: nothing to foresee`, async (t) => {
    t.strictSame(judgeTokens(indices.map(make)), { outcome: 'passed' })
  })

for (const [name, [make, actual]] of Object.entries(FORESEEN))
  t.test(`${name}: foreseen`, async (t) => {
    t.match(judgeTokens(indices.map(make)), { outcome: 'failed', actual })
  })

t.test('the estimate of random tokens is near what they have', async (t) => {
  const bits = unforeseenBits(indices.map((index) => noise(index, 16).toString('hex')))
  t.ok(bits > 126 && bits < 130, `${bits}`)
})

t.test('one token again and again is no battery', async (t) => {
  t.match(judgeTokens(Array(COUNT).fill('the-same')), { outcome: 'cantTell', reason: /^only 1 different/ })
  const kept = indices.map((index) => noise(Math.floor(index / 3), 32).toString('hex'))
  t.strictSame(judgeTokens(kept), { outcome: 'passed' }, 'a token may be kept for a while')
  t.match(judgeTokens(['a', 'b'], 'a login was refused (429)'), { reason: /refused \(429\)$/ })
})
