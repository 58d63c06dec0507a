import t from 'tap'
import type { Judgement } from '../../../spec/model/report.js'
import { fingerprint } from './fingerprint.js'

const taken = (wrong: string): string =>
  fingerprint({ case: '4.1/wrong-password' }, {
    rule: '4.1-credentials',
    outcome: 'failed',
    message: 'the answer yields a token',
    expected: 'no token',
    actual: '200 with a non-empty access_token',
    pointer: '/access_token',
    counterexample: { values: { wrong }, seed: 1, path: '0', shrinks: 0 },
  } satisfies Judgement)

t.test('a waiver of one wrong password that is taken is none of another', async (t) => {
  const flipped = taken('‹password of alice: case of character 2 flipped›')
  for (const other of [
    "‹a password that is no account's›",
    '‹password of alice: a character appended›',
    '‹password of alice: character 2 changed›',
    '‹password of alice: cut to 8 characters›',
    '‹password of bob›',
  ])
    t.not(taken(other), flipped, other)
})

t.test('the same mistake is the same for another account, elsewhere in its password', async (t) => {
  t.equal(
    taken('‹password of the new account: case of last character flipped›'),
    taken('‹password of alice: case of character 2 flipped›'),
  )
})

t.test('other generated values do not count', async (t) => {
  t.equal(taken('Password'), taken('password\u0000'))
})
