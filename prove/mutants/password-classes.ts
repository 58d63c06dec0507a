import type { PasswordRule } from '../../reference/policy.js'
import { asIs, breaking, type Mutant, type MutantRows } from './mutant.js'
import { passwordRules } from './overrides.js'
import type { Override } from './rows.js'

type Class = Exclude<PasswordRule, 'length'>
const classes = ['non-letter-or-digit', 'digit', 'lowercase', 'uppercase'].map((name) => `8-require-${name}`)
/** Where several rules are violated, the message of the one that is overlooked is missing. */
const collateral = ['7-one-per-violation']

/** 8: which characters a new password must have. */
export const passwordClassMutants: readonly Mutant[] = [
  ...counting('non-letter-or-digit', collateral, {
    'underscore-no-symbol: `_` does not count as a symbol.': {
      behaviour: /[^\w]/,
      smallest: { '8/each-non-letter-or-digit': /^(?=[^\W_]*_[^\W_]*$).{6}$/, '7/one-per-violation': /^_$/ },
    },
    'space-no-symbol: A space does not count as a symbol.': {
      behaviour: /[^A-Za-z0-9 ]/,
      smallest: {
        '8/each-non-letter-or-digit': /^(?=[^\W_]+ [^\W_]+$).{6}$/,
        // Not at the ends, where it might be trimmed.
        '7/one-per-violation': /^[^\W_] [^\W_]$/,
      },
    },
    'symbols-of-the-number-row: Only the symbols of the number row count.': /[!@#$%^&*()_+=-]/,
    'backslash-no-symbol: A backslash does not count as a symbol.': /[^A-Za-z0-9\\]/,
    'tilde-no-symbol: A tilde, the last of ASCII, does not count as a symbol.': /[^A-Za-z0-9~]/,
  }),
  ...counting('digit', collateral, {
    'zero-no-digit: `0` does not count as a digit.': {
      behaviour: /[1-9]/,
      smallest: { '8/each-digit': /^(?=\D*0\D*$).{6}$/, '7/one-per-violation': /^0$/ },
    },
    'nine-no-digit: `9` does not count as a digit.': {
      behaviour: /[0-8]/,
      smallest: { '8/each-digit': /^(?=\D*9\D*$).{6}$/, '7/one-per-violation': /^9$/ },
    },
    'colon-a-digit: `:`, which follows `9` in ASCII, counts as a digit.': /[0-:]/,
    'slash-a-digit: `/`, which precedes `0` in ASCII, counts as a digit.': /[/-9]/,
  }),
  // Of lowercase there is no listed message.
  ...counting('lowercase', [], {
    'z-not-lower-case: `z` does not count as lowercase.': {
      behaviour: /[a-y]/,
      smallest: { '8/each-lowercase': /^(?=[^a-z]*z[^a-z]*$).{6}$/ },
    },
    'a-not-lower-case: `a` does not count as lowercase.': /[b-z]/,
    'brace-lower-case: `{`, which follows `z` in ASCII, counts as lowercase.': /[a-{]/,
    'back-tick-lower-case: A back tick, which precedes `a`, counts as lowercase.': /[`-z]/,
  }),
  ...counting('uppercase', collateral, {
    'z-not-upper-case: `Z` does not count as uppercase.': /[A-Y]/,
    'a-not-upper-case: `A` does not count as uppercase.': {
      behaviour: /[B-Z]/,
      smallest: { '8/each-uppercase': /^(?=[^A-Z]*A[^A-Z]*$).{6}$/, '7/one-per-violation': /^A$/ },
    },
    'at-sign-upper-case: `@`, which precedes `A` in ASCII, counts as uppercase.': /[@-Z]/,
    'bracket-upper-case: `[`, which follows `Z` in ASCII, counts as uppercase.': {
      behaviour: /[A-[]/,
      smallest: { '8/no-uppercase': /^(?=[^[]*\[[^[]*$)[^A-Z]{6}$/, '7/one-per-violation': /^\[$/ },
    },
  }),
  ...breaking({ violates: classes, collateral }, asIs, {
    'three-of-four-classes: Three of the four character classes are enough.': passwordRules((violated) =>
      violated.filter((rule) => rule !== 'length').length === 1 ? violated.filter(isLength) : violated,
    ),
  }),
  ...breaking(['8-require-digit'], asIs, {
    'blank-password: A password of spaces alone is checked for nothing.': passwordRules(
      (violated, password) => (password !== '' && password.trim() === '' ? [] : violated),
    ),
  }),
  ...breaking(classes, asIs, {
    'long-passwords-of-any-class: A password of 20 characters needs no character class.': passwordRules(
      (violated, password) => (password.length < 20 ? violated : violated.filter(isLength)),
    ),
  }),
]

/** Other characters count as of a class than do. The shortest valid password has 6 characters. */
function counting(rule: Class, collateral: readonly string[], rows: MutantRows<RegExp>): readonly Mutant[] {
  const counted = (counts: RegExp): Override =>
    passwordRules((violated, password) => {
      const others = violated.filter((other) => other !== rule)
      return counts.test(password) ? others : [...others, rule]
    })
  return breaking({ violates: [`8-require-${rule}`], collateral }, counted, rows)
}

function isLength(rule: PasswordRule): boolean {
  return rule === 'length'
}
