import { type PasswordRule, ruleMessage } from '../../reference/policy.js'
import { breaking, type Mutant } from './mutant.js'
import type { Override } from './overrides.js'

const listed = {
  'non-letter-or-digit': '7-non-letter-or-digit-message',
  digit: '7-digit-message',
  uppercase: '7-uppercase-message',
} as const satisfies Partial<Record<PasswordRule, string>>
type Listed = keyof typeof listed
const all = Object.values(listed)
const onePerViolation = ['7-one-per-violation']

/** 7: one message per violated rule, letter for letter; 8-R2: none of a disabled one. */
export const messageMutants: readonly Mutant[] = [
  ...breaking([listed['non-letter-or-digit'], ...onePerViolation])({
    'symbol-message-with-hyphen: The first message says `non-letter`.': {
      behaviour: text('non-letter-or-digit', (message) => message.replace('non letter', 'non-letter')),
      smallest: { '7/non-letter-or-digit-message': /^[^\W_]{6}$/ },
    },
    'symbol-message-special: The first message asks for a special character.': text(
      'non-letter-or-digit',
      () => 'Passwords must have at least one special character.',
    ),
  }),
  ...breaking([listed.digit, ...onePerViolation])({
    'digit-message-with-curly-quotes: The message on digits has curly quotes.': text('digit', (message) =>
      message.replace(/'(.)'/g, '‘$1’'),
    ),
    'digit-message-without-range: The message on digits does not say which.': text('digit', (message) =>
      message.replace(/ \(.*\)/, ''),
    ),
    'digit-message-in-html: The quotes of the message on digits are character references of HTML.': {
      behaviour: text('digit', (message) => message.replaceAll("'", '&#39;')),
      smallest: { '7/digit-message': /^\D{6}$/ },
    },
    'digit-message-with-dash: The message on digits has a dash for its hyphen.': text('digit', (message) =>
      message.replace('-', '–'),
    ),
  }),
  ...breaking([listed.uppercase, ...onePerViolation])({
    'uppercase-message-without-stop: The message on uppercase has no full stop.': text(
      'uppercase',
      (message) => message.slice(0, -1),
    ),
    'uppercase-message-with-letter: The message on uppercase says `uppercase letter`.': text(
      'uppercase',
      (message) => message.replace('uppercase', 'uppercase letter'),
    ),
    'uppercase-message-in-lower-case: The message on uppercase is in lower case.': text(
      'uppercase',
      (message) => message.toLowerCase(),
    ),
    'uppercase-message-with-two-spaces: The message on uppercase has two spaces in a row.': {
      behaviour: text('uppercase', (message) => message.replace(' ', '  ')),
      smallest: { '7/uppercase-message': /^[^A-Z]{6}$/, '7/one-per-violation': /^[^A-Z]$/ },
    },
  }),
  ...breaking([...all, ...onePerViolation])({
    'singular-messages: The messages speak of one password.': every((message) =>
      message.replace('Passwords', 'The password'),
    ),
    'translated-messages: The messages are in German.': every(() => 'Das Kennwort ist zu schwach.'),
    'cut-messages: The messages are cut to 40 characters.': every((message) => message.slice(0, 40)),
  }),
  ...breaking(['7-digit-message', '7-uppercase-message', ...onePerViolation])({
    'messages-exchanged: The messages on digits and uppercase are exchanged.': () => ({
      ruleMessage: (rule, policy) => ruleMessage(exchanged[rule] ?? rule, policy),
    }),
  }),
  ...breaking(onePerViolation)({
    'first-message-alone: Only the first violated rule is reported.': {
      behaviour: reported((violated) => violated.slice(0, 1)),
      smallest: { '7/one-per-violation': /^.$/ },
    },
    'last-message-alone: Only the last violated rule is reported.': reported((violated) =>
      violated.slice(-1),
    ),
    'length-message-alone: Of a short password nothing but the length is reported.': reported((violated) =>
      violated.includes('length') ? ['length'] : violated,
    ),
    'two-messages-at-most: No more than two violated rules are reported.': reported((violated) =>
      violated.slice(0, 2),
    ),
    'every-message-always: Whatever is violated, every message is reported.': reported((violated) =>
      violated.length === 0 ? violated : ['length', 'non-letter-or-digit', 'digit', 'lowercase', 'uppercase'],
    ),
    'digit-message-with-length: With a wrong length, the message on digits is reported too.': {
      behaviour: reported((violated) =>
        violated.includes('length') ? [...new Set([...violated, 'digit' as const])] : violated,
      ),
      smallest: { '7/one-per-violation': /^\d$/ },
    },
    'uppercase-message-for-lowercase: A lack of lowercase is reported as a lack of uppercase.': reported(
      (violated) => violated.map((rule) => (rule === 'lowercase' ? 'uppercase' : rule)),
    ),
  }),
  ...breaking([...all, ...onePerViolation])({
    'rejected-without-words: A rejection has an empty body.': () => ({
      renderRegistration: (body) => (JSON.stringify(body).includes('"errors"') ? '' : JSON.stringify(body)),
    }),
    'rejected-with-codes: A rejection names the violated rules by codes.': () => ({
      ruleMessage: (rule) => rule,
    }),
  }),
  ...breaking({ violates: ['8-R2'], collateral: onePerViolation, needs: 'other-policy' })({
    'disabled-messages-with-others: Another rejection has the message on digits, which are not required.':
      () => ({
        reportedRules: (violated) => (violated.length === 0 ? violated : [...violated, 'digit']),
      }),
  }),
  ...breaking({ violates: ['8-R2'], needs: 'other-policy' })({
    'hint-on-success: An accepted registration is answered with a message on uppercase.': () => ({
      registeredBody: ({ userName }) => ({
        userName,
        hint: "Passwords must have at least one uppercase ('A'-'Z').",
      }),
    }),
  }),
]

const exchanged: Partial<Record<PasswordRule, PasswordRule>> = { digit: 'uppercase', uppercase: 'digit' }

/** One listed message in other words. */
function text(rule: Listed, change: (message: string) => string): Override {
  return () => ({
    ruleMessage: (own, policy) => (own === rule ? change : String)(ruleMessage(own, policy)),
  })
}

/** Every message in other words. */
function every(change: (message: string) => string): Override {
  return () => ({
    ruleMessage: (rule, policy) => change(ruleMessage(rule, policy)),
  })
}

/** Other rules are reported than those that are violated. */
function reported(change: NonNullable<ReturnType<Override>['reportedRules']>): Override {
  return () => ({ reportedRules: change })
}
