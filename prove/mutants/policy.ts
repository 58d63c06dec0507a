import { LISTED_POLICY, type Policy } from '../../spec/model/policy.js'
import { asIs, breaking, type Mutant } from './mutant.js'
import { passwordRules } from './overrides.js'
import type { Override } from './rows.js'

/** Where several rules are violated, the message of the one that is overlooked is missing. */
const collateral = ['7-one-per-violation']
/** They show where the rule is switched off. */
const disabled = { violates: ['8-R2'], collateral, needs: 'other-policy' } as const

/** 8: the settings of the policy that are in force. */
export const policyMutants: readonly Mutant[] = [
  ...breaking(['8-minimum-length'], enforced, {
    'minimum-length-of-5: Passwords of five characters are accepted.': {
      behaviour: { minimumLength: 5 },
      smallest: { '8/too-short': /^.{5}$/ },
    },
    'minimum-length-of-7: Passwords of six characters are rejected.': {
      behaviour: { minimumLength: 7 },
      smallest: { '8/minimum-length': /^.{6}$/ },
    },
    'no-minimum-length: The length of passwords is not checked.': { minimumLength: 0 },
  }),
  // There a short password violates nothing else.
  ...breaking({ violates: ['8-minimum-length'], needs: 'other-policy', collateral: ['8-R1'] }, enforced, {
    'minimum-length-not-configurable: The minimum length is 6, regardless of the configuration.': {
      minimumLength: 6,
    },
  }),
  ...breaking({ violates: ['8-require-non-letter-or-digit'], collateral }, enforced, {
    'symbols-not-required: A character that is neither letter nor digit is not required.': {
      requireNonLetterOrDigit: false,
    },
  }),
  ...breaking({ violates: ['8-require-digit'], collateral }, enforced, {
    'digits-not-required: A digit is not required.': { requireDigit: false },
  }),
  ...breaking(['8-require-lowercase'], enforced, {
    'lower-case-not-required: A lowercase letter is not required.': { requireLowercase: false },
  }),
  ...breaking({ violates: ['8-require-uppercase'], collateral }, enforced, {
    'upper-case-not-required: An uppercase letter is not required.': { requireUppercase: false },
  }),
  ...breaking(
    {
      violates: [
        ...['8-require-non-letter-or-digit', '8-require-digit'],
        ...['8-require-lowercase', '8-require-uppercase'],
      ],
      collateral,
    },
    asIs,
    {
      'passphrases-without-policy: No class of characters is required in passwords of more than 30 characters.':
        passwordRules((violated, password) => (password.length > 30 ? [] : violated)),
    },
  ),
  ...breaking(
    {
      violates: ['8-R1'],
      // Among those that are made to be accepted are long ones.
      collateral: [
        ...['8-require-non-letter-or-digit', '8-require-digit'],
        ...['8-require-lowercase', '8-require-uppercase'],
      ],
    },
    asIs,
    {
      'longest-password-of-30: Passwords of more than 30 characters are rejected.': passwordRules(
        (violated, password) => (password.length > 30 ? ['length', ...violated] : violated),
      ),
    },
  ),
  ...breaking(['8-R1'], asIs, {
    'longest-password-of-63: Passwords of more than 63 characters are rejected.': passwordRules(
      (violated, password) => (password.length > 63 ? ['length', ...violated] : violated),
    ),
  }),
  ...breaking({ violates: ['8-require-non-letter-or-digit'], collateral }, asIs, {
    'symbols-of-a-list: Of the characters that are neither letter nor digit only @$!%*?& count.':
      passwordRules((violated, password) =>
        /[@$!%*?&]/.test(password) || violated.includes('non-letter-or-digit')
          ? violated
          : [...violated, 'non-letter-or-digit'],
      ),
  }),
  ...breaking({ violates: ['8-minimum-length'], collateral: ['8-require-non-letter-or-digit'] }, asIs, {
    'spaces-not-counted: Spaces do not count for the length of a password.': passwordRules(
      (violated, password) =>
        password.replaceAll(' ', '').length < 6 && !violated.includes('length')
          ? ['length', ...violated]
          : violated,
    ),
  }),
  ...breaking(
    {
      violates: ['8-R2', '8-minimum-length', '8-unique-email', '8-alphanumeric-user-names'],
      collateral: ['7-one-per-violation', '8-alphanumeric-user-names-at-dot-underscore'],
      needs: 'other-policy',
    },
    asIs,
    {
      'policy-of-the-default: The listed policy is enforced, regardless of the configuration.':
        enforced(LISTED_POLICY),
    },
  ),
  ...breaking(disabled, asIs, {
    'one-disabled-of-two: A password that has neither a symbol nor a capital is rejected although both rules are disabled.':
      passwordRules((violated, password) =>
        /[^a-z0-9]/.test(password) ? violated : [...violated, 'uppercase'],
      ),
    'letters-alone-rejected: A password of letters alone is rejected although every rule is disabled.':
      passwordRules((violated, password) => (/[^A-Za-z]/.test(password) ? violated : [...violated, 'digit'])),
    'capitals-alone-rejected: A password of capitals alone is rejected although every rule is disabled.':
      passwordRules((violated, password) =>
        /[^A-Z]/.test(password) ? violated : [...violated, 'lowercase'],
      ),
  }),
  ...breaking(disabled, enforced, {
    'symbols-required-all-the-same: A symbol is required although the rule is disabled.': {
      requireNonLetterOrDigit: true,
    },
    'digits-required-all-the-same: A digit is required although the rule is disabled.': {
      behaviour: { requireDigit: true },
      // One character more than the minimum length of 10, so that the length cannot be the reason.
      smallest: { '8/digit-not-required': /^\D{11}$/, '7/one-per-violation': /^\D$/ },
    },
    'lower-case-required-all-the-same: A lowercase letter is required although the rule is disabled.': {
      requireLowercase: true,
    },
    'upper-case-required-all-the-same: An uppercase letter is required although the rule is disabled.': {
      requireUppercase: true,
    },
  }),
]

function enforced(part: Partial<Policy>): Override {
  return { policyInForce: (configured) => ({ ...configured, ...part }) }
}
