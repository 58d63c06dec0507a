import { type AccountPolicy, type PasswordRule, violates } from '../../reference/policy.js'
import type { Fault } from './fault.js'

const RULES: readonly PasswordRule[] = ['length', 'non-letter-or-digit', 'digit', 'lowercase', 'uppercase']

/** One requirement is checked otherwise. */
function checking(
  rule: PasswordRule,
  lacks: (password: string, policy: AccountPolicy) => boolean,
): Fault['behaviour'] {
  return {
    violatedRules: (password, policy) =>
      RULES.filter((each) => (each === rule ? lacks : violates.bind(undefined, each))(password, policy)),
  }
}

/** What is taken for a character of the class, where something else should be. */
const within = (rule: PasswordRule, taken: RegExp) => checking(rule, (password) => !taken.test(password))

/** Every character that may be alone of its class, and each that services are wrong about. */
const runs = 40

/**
 * Passwords are classed wrongly. Whoever takes a character for none of its class rejects what must be accepted, and says a
 * message whose requirement is kept; whoever takes one too many accepts what must be rejected, and leaves a message out.
 * Of lower case and length no message is listed. The shortest valid password has 6 characters.
 */
export const POLICY_FAULTS: readonly Fault[] = [
  {
    name: '0 is no digit',
    behaviour: within('digit', /[1-9]/),
    failed: ['7-one-per-violation', '8-require-digit'],
    smallest: { '8/each-digit': /^(?=\D*0\D*$).{6}$/, '7/one-per-violation': /^0$/ },
    runs,
  },
  {
    name: '9 is no digit',
    behaviour: within('digit', /[0-8]/),
    failed: ['7-one-per-violation', '8-require-digit'],
    smallest: { '8/each-digit': /^(?=\D*9\D*$).{6}$/, '7/one-per-violation': /^9$/ },
    runs,
  },
  {
    name: '_ is a letter',
    behaviour: within('non-letter-or-digit', /\W/),
    failed: ['7-one-per-violation', '8-require-non-letter-or-digit'],
    smallest: {
      '8/each-non-letter-or-digit': /^(?=[^\W_]*_[^\W_]*$).{6}$/,
      '7/one-per-violation': /^_$/,
    },
    runs,
  },
  {
    name: 'the space is no symbol',
    behaviour: within('non-letter-or-digit', /[^A-Za-z0-9 ]/),
    failed: ['7-one-per-violation', '8-require-non-letter-or-digit'],
    smallest: {
      '8/each-non-letter-or-digit': /^(?=[^\W_]+ [^\W_]+$).{6}$/,
      // Not at the ends, where it might be trimmed.
      '7/one-per-violation': /^[^\W_] [^\W_]$/,
    },
    runs,
  },
  {
    name: 'z is no lower-case letter',
    behaviour: within('lowercase', /[a-y]/),
    failed: ['8-require-lowercase'],
    smallest: { '8/each-lowercase': /^(?=[^a-z]*z[^a-z]*$).{6}$/ },
    runs,
  },
  {
    name: 'A is no upper-case letter',
    behaviour: within('uppercase', /[B-Z]/),
    failed: ['7-one-per-violation', '8-require-uppercase'],
    smallest: { '8/each-uppercase': /^(?=[^A-Z]*A[^A-Z]*$).{6}$/, '7/one-per-violation': /^A$/ },
    runs,
  },
  {
    name: '[ is an upper-case letter',
    behaviour: within('uppercase', /[A-[]/),
    failed: ['7-one-per-violation', '8-require-uppercase'],
    smallest: { '8/no-uppercase': /^(?=[^[]*\[[^[]*$)[^A-Z]{6}$/, '7/one-per-violation': /^\[$/ },
    runs,
  },
  {
    name: 'one character more than the minimum is required',
    behaviour: checking('length', (password, { minimumLength }) => password.length <= minimumLength),
    failed: ['8-minimum-length'],
    smallest: { '8/minimum-length': /^.{6}$/ },
  },
  {
    name: 'one character less than the minimum suffices',
    behaviour: checking('length', (password, { minimumLength }) => password.length < minimumLength - 1),
    failed: ['8-minimum-length'],
    smallest: { '8/too-short': /^.{5}$/ },
  },
  {
    name: 'a disabled setting is enforced',
    under: 'no digit required',
    behaviour: { policyInForce: (configured) => ({ ...configured, requireDigit: true }) },
    failed: ['7-one-per-violation', '8-R2'],
    runs: 20,
    smallest: { '8/digit-not-required': /^\D{7}$/, '7/one-per-violation': /^\D$/ },
  },
]
