import type { Mutant } from './mutant.js'
import { raw, without } from './overrides.js'
import { mutants, type Row } from './row.js'

const violates = ['2.1-expires_in']

/** 2.1: `expires_in` is the lifetime in seconds, in digits. */
export const expiresInMutants: readonly Mutant[] = mutants([
  shown('expires-in-with-fraction', 'expires_in is written with a fraction of zero.', '1209599.0'),
  shown('expires-in-with-exponent', 'expires_in is written with an exponent.', '12096e2'),
  shown('expires-in-as-string', 'expires_in is a string of digits.', '"1209599"'),
  shown('expires-in-null', 'expires_in is null.', 'null'),
  shown('negative-expires-in', 'expires_in is negative.', '-1209599'),
  counted('expires-in-two-less', 'expires_in is two seconds under the lifetime.', (seconds) => seconds - 2),
  counted('expires-in-one-more', 'expires_in is one second over the lifetime.', (seconds) => seconds + 1),
  counted('expires-in-milliseconds', 'expires_in is in milliseconds.', (seconds) => seconds * 1000),
  counted('expires-in-minutes', 'expires_in is in minutes.', (seconds) => seconds / 60),
  {
    id: 'no-expires-in',
    sentence: 'expires_in is left out.',
    violates,
    collateral: ['4.2-external-login'],
    behaviour: without('expires_in'),
  },
  {
    id: 'expires-in-of-the-default',
    sentence: 'expires_in is 14 days, whatever lifetime is configured.',
    violates,
    needs: 'short-lifetime',
    behaviour: () => ({ expiresIn: () => 1_209_599 }),
  },
])

function shown(id: string, sentence: string, json: string): Row {
  return { id, sentence, violates, behaviour: raw('expires_in', json) }
}

function counted(id: string, sentence: string, secondsOf: (lifetimeSeconds: number) => number): Row {
  return { id, sentence, violates, behaviour: () => ({ expiresIn: secondsOf }) }
}
