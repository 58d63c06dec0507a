import { asIs, breaking, type Mutant } from './mutant.js'
import { raw, without } from './overrides.js'

const violates = ['2.1-expires_in']

/** 2.1: `expires_in` is the lifetime in seconds, in digits. */
export const expiresInMutants: readonly Mutant[] = [
  ...breaking(violates, (json: string) => raw('expires_in', json), {
    'expires-in-with-fraction: expires_in is written with a fraction of zero.': '1209599.0',
    'expires-in-with-exponent: expires_in is written with an exponent.': '12096e2',
    'expires-in-as-string: expires_in is a string of digits.': '"1209599"',
    'expires-in-null: expires_in is null.': 'null',
    'negative-expires-in: expires_in is negative.': '-1209599',
  }),
  ...breaking(violates, (expiresIn: (lifetimeSeconds: number) => number) => ({ expiresIn }), {
    'expires-in-two-less: expires_in is two seconds less than the lifetime.': (seconds) => seconds - 2,
    'expires-in-one-more: expires_in is one second more than the lifetime.': (seconds) => seconds + 1,
    'expires-in-milliseconds: expires_in is in milliseconds.': (seconds) => seconds * 1000,
    'expires-in-minutes: expires_in is in minutes.': (seconds) => seconds / 60,
  }),
  ...breaking({ violates, collateral: ['4.2-external-login'] }, asIs, {
    'no-expires-in: expires_in is left out.': without('expires_in'),
  }),
  ...breaking({ violates, needs: 'short-lifetime' }, asIs, {
    'expires-in-of-the-default: expires_in is 14 days, regardless of the configured lifetime.': {
      expiresIn: () => 1_209_599,
    },
  }),
]
