import { type AccountPolicy, listedPolicy, type PasswordRule, violatedRules } from '../policy.js'
import type { RegistrationBehaviour } from '../registration-behaviour.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const classes = {
  'non-letter-or-digit': '8-require-non-letter-or-digit',
  digit: '8-require-digit',
  lowercase: '8-require-lowercase',
  uppercase: '8-require-uppercase',
} as const satisfies Partial<Record<PasswordRule, string>>
type Class = keyof typeof classes
/** Where several rules are violated, one that goes unnoticed goes untold. */
const messages = ['7-one-per-violation']

/** 8: what a new password must have, of how many characters. */
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
  counted('underscore-no-symbol', '`_` does not count as a symbol.', 'non-letter-or-digit', /[^\w]/),
  counted('space-no-symbol', 'A space does not count as a symbol.', 'non-letter-or-digit', /[^A-Za-z0-9 ]/),
  counted(
    'symbols-of-the-number-row',
    'Only the symbols of the number row count.',
    'non-letter-or-digit',
    /[!@#$%^&*()_+=-]/,
  ),
  counted(
    'backslash-no-symbol',
    'A backslash does not count as a symbol.',
    'non-letter-or-digit',
    /[^A-Za-z0-9\\]/,
  ),
  counted(
    'tilde-no-symbol',
    'A tilde, the last of ASCII, does not count as a symbol.',
    'non-letter-or-digit',
    /[^A-Za-z0-9~]/,
  ),
  counted('zero-no-digit', '`0` does not count as a digit.', 'digit', /[1-9]/),
  counted('nine-no-digit', '`9` does not count as a digit.', 'digit', /[0-8]/),
  counted('colon-a-digit', '`:`, which follows `9` in ASCII, counts as a digit.', 'digit', /[0-:]/),
  counted('slash-a-digit', '`/`, which precedes `0` in ASCII, counts as a digit.', 'digit', /[/-9]/),
  counted('z-not-lower-case', '`z` does not count as lowercase.', 'lowercase', /[a-y]/),
  counted('a-not-lower-case', '`a` does not count as lowercase.', 'lowercase', /[b-z]/),
  counted('brace-lower-case', '`{`, which follows `z` in ASCII, counts as lowercase.', 'lowercase', /[a-{]/),
  counted(
    'back-tick-lower-case',
    'A back tick, which precedes `a`, counts as lowercase.',
    'lowercase',
    /[`-z]/,
  ),
  counted('z-not-upper-case', '`Z` does not count as uppercase.', 'uppercase', /[A-Y]/),
  counted('a-not-upper-case', '`A` does not count as uppercase.', 'uppercase', /[B-Z]/),
  counted(
    'at-sign-upper-case',
    '`@`, which precedes `A` in ASCII, counts as uppercase.',
    'uppercase',
    /[@-Z]/,
  ),
  counted(
    'bracket-upper-case',
    '`[`, which follows `Z` in ASCII, counts as uppercase.',
    'uppercase',
    /[A-[]/,
  ),
  {
    id: 'three-of-four-classes',
    sentence: 'Three of the four kinds of characters suffice.',
    violates: Object.values(classes),
    collateral: messages,
    behaviour: rules((violated) =>
      violated.filter(isClass).length === 1 ? violated.filter(isLength) : violated,
    ),
  },
  {
    id: 'long-passwords-of-any-class',
    sentence: 'A password of 20 characters needs no particular kind of them.',
    violates: Object.values(classes),
    behaviour: rules((violated, password) => (password.length < 20 ? violated : violated.filter(isLength))),
  },
  {
    id: 'longest-password-of-30',
    sentence: 'Passwords of more than 30 characters are rejected.',
    violates: ['8-R1'],
    // Among those that are made to be accepted are long ones.
    collateral: Object.values(classes),
    behaviour: rules((violated, password) => (password.length > 30 ? ['length', ...violated] : violated)),
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

/** A kind of characters that is not told from the others as it should be. */
function counted(id: string, sentence: string, rule: Class, counts: RegExp): Row {
  return {
    id,
    sentence,
    violates: [classes[rule]],
    // Of lowercase there is no listed message.
    collateral: rule === 'lowercase' ? [] : messages,
    behaviour: rules((violated, password) => {
      const others = violated.filter((other) => other !== rule)
      return counts.test(password) ? others : [...others, rule]
    }),
  }
}

function rules(
  change: (violated: readonly PasswordRule[], password: string) => readonly PasswordRule[],
): () => Pick<RegistrationBehaviour, 'violatedRules'> {
  return () => ({ violatedRules: (password, policy) => change(violatedRules(password, policy), password) })
}

function isLength(rule: PasswordRule): boolean {
  return rule === 'length'
}

function isClass(rule: PasswordRule): boolean {
  return rule !== 'length'
}
