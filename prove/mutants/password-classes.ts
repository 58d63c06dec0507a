import type { PasswordRule } from '../../reference/policy.js'
import { breaking, type Mutant } from './mutant.js'
import { type Override, passwordRules } from './overrides.js'

type Class = Exclude<PasswordRule, 'length'>
const classes = ['non-letter-or-digit', 'digit', 'lowercase', 'uppercase'].map((name) => `8-require-${name}`)
/** Where several rules are violated, the message of the one that is overlooked is missing. */
const overlooked = (...violates: readonly string[]) => ({ violates, collateral: ['7-one-per-violation'] })

/** 8: which characters a new password must have. */
export const passwordClassMutants: readonly Mutant[] = [
  ...breaking(overlooked('8-require-non-letter-or-digit'))({
    'underscore-no-symbol: `_` does not count as a symbol.': {
      behaviour: counted('non-letter-or-digit', /[^\w]/),
      smallest: {
        '8/each-non-letter-or-digit': /^(?=[^\W_]*_[^\W_]*$).{6}$/,
        '7/one-per-violation': /^_$/,
      },
    },
    'space-no-symbol: A space does not count as a symbol.': {
      behaviour: counted('non-letter-or-digit', /[^A-Za-z0-9 ]/),
      smallest: {
        '8/each-non-letter-or-digit': /^(?=[^\W_]+ [^\W_]+$).{6}$/,
        // Not at the ends, where it might be trimmed.
        '7/one-per-violation': /^[^\W_] [^\W_]$/,
      },
    },
    'symbols-of-the-number-row: Only the symbols of the number row count.': counted(
      'non-letter-or-digit',
      /[!@#$%^&*()_+=-]/,
    ),
    'backslash-no-symbol: A backslash does not count as a symbol.': counted(
      'non-letter-or-digit',
      /[^A-Za-z0-9\\]/,
    ),
    'tilde-no-symbol: A tilde, the last of ASCII, does not count as a symbol.': counted(
      'non-letter-or-digit',
      /[^A-Za-z0-9~]/,
    ),
  }),
  ...breaking(overlooked('8-require-digit'))({
    'zero-no-digit: `0` does not count as a digit.': {
      behaviour: counted('digit', /[1-9]/),
      smallest: {
        '8/each-digit': /^(?=\D*0\D*$).{6}$/,
        '7/one-per-violation': /^0$/,
      },
    },
    'nine-no-digit: `9` does not count as a digit.': {
      behaviour: counted('digit', /[0-8]/),
      smallest: {
        '8/each-digit': /^(?=\D*9\D*$).{6}$/,
        '7/one-per-violation': /^9$/,
      },
    },
    'colon-a-digit: `:`, which follows `9` in ASCII, counts as a digit.': counted('digit', /[0-:]/),
    'slash-a-digit: `/`, which precedes `0` in ASCII, counts as a digit.': counted('digit', /[/-9]/),
  }),
  // Of lowercase there is no listed message.
  ...breaking(['8-require-lowercase'])({
    'z-not-lower-case: `z` does not count as lowercase.': {
      behaviour: counted('lowercase', /[a-y]/),
      smallest: {
        '8/each-lowercase': /^(?=[^a-z]*z[^a-z]*$).{6}$/,
      },
    },
    'a-not-lower-case: `a` does not count as lowercase.': counted('lowercase', /[b-z]/),
    'brace-lower-case: `{`, which follows `z` in ASCII, counts as lowercase.': counted('lowercase', /[a-{]/),
    'back-tick-lower-case: A back tick, which precedes `a`, counts as lowercase.': counted(
      'lowercase',
      /[`-z]/,
    ),
  }),
  ...breaking(overlooked('8-require-uppercase'))({
    'z-not-upper-case: `Z` does not count as uppercase.': counted('uppercase', /[A-Y]/),
    'a-not-upper-case: `A` does not count as uppercase.': {
      behaviour: counted('uppercase', /[B-Z]/),
      smallest: {
        '8/each-uppercase': /^(?=[^A-Z]*A[^A-Z]*$).{6}$/,
        '7/one-per-violation': /^A$/,
      },
    },
    'at-sign-upper-case: `@`, which precedes `A` in ASCII, counts as uppercase.': counted(
      'uppercase',
      /[@-Z]/,
    ),
    'bracket-upper-case: `[`, which follows `Z` in ASCII, counts as uppercase.': {
      behaviour: counted('uppercase', /[A-[]/),
      smallest: { '8/no-uppercase': /^(?=[^[]*\[[^[]*$)[^A-Z]{6}$/, '7/one-per-violation': /^\[$/ },
    },
  }),
  ...breaking(overlooked(...classes))({
    'three-of-four-classes: Three of the four character classes are enough.': passwordRules((violated) =>
      violated.filter(isClass).length === 1 ? violated.filter(isLength) : violated,
    ),
  }),
  ...breaking(classes)({
    'long-passwords-of-any-class: A password of 20 characters needs no character class.': passwordRules(
      (violated, password) => (password.length < 20 ? violated : violated.filter(isLength)),
    ),
  }),
]

/** Other characters count as of a class than do. The shortest valid password has 6 characters. */
function counted(rule: Class, counts: RegExp): Override {
  return passwordRules((violated, password) => {
    const others = violated.filter((other) => other !== rule)
    return counts.test(password) ? others : [...others, rule]
  })
}

function isLength(rule: PasswordRule): boolean {
  return rule === 'length'
}

function isClass(rule: PasswordRule): boolean {
  return rule !== 'length'
}
