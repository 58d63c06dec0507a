import type { PasswordRule } from '../policy.js'
import type { Mutant } from './mutant.js'
import { passwordRules } from './overrides.js'
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

/** 8: which characters a new password must have. */
export const passwordClassMutants: readonly Mutant[] = mutants([
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
    behaviour: passwordRules((violated) =>
      violated.filter(isClass).length === 1 ? violated.filter(isLength) : violated,
    ),
  },
  {
    id: 'long-passwords-of-any-class',
    sentence: 'A password of 20 characters needs no particular kind of them.',
    violates: Object.values(classes),
    behaviour: passwordRules((violated, password) =>
      password.length < 20 ? violated : violated.filter(isLength),
    ),
  },
])

/** A kind of characters that is not told from the others as it should be. */
function counted(id: string, sentence: string, rule: Class, counts: RegExp): Row {
  return {
    id,
    sentence,
    violates: [classes[rule]],
    // Of lowercase there is no listed message.
    collateral: rule === 'lowercase' ? [] : messages,
    behaviour: passwordRules((violated, password) => {
      const others = violated.filter((other) => other !== rule)
      return counts.test(password) ? others : [...others, rule]
    }),
  }
}

function isLength(rule: PasswordRule): boolean {
  return rule === 'length'
}

function isClass(rule: PasswordRule): boolean {
  return rule !== 'length'
}
