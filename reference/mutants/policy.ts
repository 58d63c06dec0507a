import { type AccountPolicy, listedPolicy } from '../policy.js'
import type { Mutant } from './mutant.js'
import { passwordRules } from './overrides.js'
import { mutants, type Row } from './row.js'

/** Where several rules are violated, one that goes unnoticed goes untold. */
const messages = ['7-one-per-violation']

/** 8: the settings of the policy that are in force. */
export const policyMutants: readonly Mutant[] = mutants([
  enforced('minimum-length-of-5', 'Passwords of five characters are accepted.', ['8-minimum-length'], {
    minimumLength: 5,
  }),
  enforced('minimum-length-of-7', 'Passwords of six characters are rejected.', ['8-minimum-length'], {
    minimumLength: 7,
  }),
  enforced('no-minimum-length', 'The length of passwords is not checked.', ['8-minimum-length'], {
    minimumLength: 0,
  }),
  {
    ...enforced(
      'minimum-length-not-configurable',
      'The minimum length is 6, whatever is configured.',
      ['8-minimum-length'],
      { minimumLength: 6 },
    ),
    needs: 'other-policy',
    // There a short password violates nothing else.
    collateral: ['8-R1'],
  },
  enforced(
    'symbols-not-required',
    'A character that is neither letter nor digit is not required.',
    ['8-require-non-letter-or-digit'],
    { requireNonLetterOrDigit: false },
    messages,
  ),
  enforced(
    'digits-not-required',
    'A digit is not required.',
    ['8-require-digit'],
    { requireDigit: false },
    messages,
  ),
  enforced('lower-case-not-required', 'A lowercase letter is not required.', ['8-require-lowercase'], {
    requireLowercase: false,
  }),
  enforced(
    'upper-case-not-required',
    'An uppercase letter is not required.',
    ['8-require-uppercase'],
    { requireUppercase: false },
    messages,
  ),
  {
    id: 'longest-password-of-30',
    sentence: 'Passwords of more than 30 characters are rejected.',
    violates: ['8-R1'],
    // Among those that are made to be accepted are long ones.
    collateral: [
      ...['8-require-non-letter-or-digit', '8-require-digit'],
      ...['8-require-lowercase', '8-require-uppercase'],
    ],
    behaviour: passwordRules((violated, password) =>
      password.length > 30 ? ['length', ...violated] : violated,
    ),
  },
  {
    id: 'policy-of-the-default',
    sentence: 'The listed policy is enforced, whatever is configured.',
    violates: ['8-R2', '8-minimum-length', '8-unique-email', '8-alphanumeric-user-names'],
    collateral: ['7-one-per-violation', '8-alphanumeric-user-names-at-dot-underscore'],
    needs: 'other-policy',
    behaviour: () => ({ policyInForce: () => listedPolicy }),
  },
  disabled('symbols-required-all-the-same', 'symbol', { requireNonLetterOrDigit: true }),
  disabled('digits-required-all-the-same', 'digit', { requireDigit: true }),
  disabled('lower-case-required-all-the-same', 'lowercase letter', { requireLowercase: true }),
  disabled('upper-case-required-all-the-same', 'uppercase letter', { requireUppercase: true }),
])

function enforced(
  id: string,
  sentence: string,
  violates: readonly string[],
  part: Partial<AccountPolicy>,
  collateral: readonly string[] = [],
): Row {
  return {
    id,
    sentence,
    violates,
    collateral,
    behaviour: () => ({ policyInForce: (configured) => ({ ...configured, ...part }) }),
  }
}

function disabled(id: string, what: string, part: Partial<AccountPolicy>): Row {
  return {
    ...enforced(id, `A ${what} is required although that is disabled.`, ['8-R2'], part),
    collateral: messages,
    needs: 'other-policy',
  }
}
