import { type PasswordRule, ruleMessage } from '../../reference/policy.js'
import { asIs, breaking, type Mutant, type MutantRows } from './mutant.js'
import { changed, type TextChange } from './overrides.js'
import type { Override } from './rows.js'

const listed = {
  'non-letter-or-digit': '7-non-letter-or-digit-message',
  digit: '7-digit-message',
  uppercase: '7-uppercase-message',
} as const satisfies Partial<Record<PasswordRule, string>>
const all = Object.values(listed)
const onePerViolation = ['7-one-per-violation']

/** 7: one message per violated rule, letter for letter; 8-R2: none of a disabled one. */
export const messageMutants: readonly Mutant[] = [
  ...message('non-letter-or-digit', {
    'symbol-message-with-hyphen: The first message says `non-letter`.': {
      behaviour: ['non letter', 'non-letter'],
      smallest: { '7/non-letter-or-digit-message': /^[^\W_]{6}$/ },
    },
    'symbol-message-special: The first message asks for a special character.': () =>
      'Passwords must have at least one special character.',
  }),
  ...message('digit', {
    'digit-message-with-curly-quotes: The message on digits has curly quotes.': [/'(.)'/g, '‘$1’'],
    'digit-message-without-range: The message on digits does not say which.': [/ \(.*\)/, ''],
    'digit-message-in-html: The quotes of the message on digits are character references of HTML.': {
      behaviour: [/'/g, '&#39;'],
      smallest: { '7/digit-message': /^\D{6}$/ },
    },
    'digit-message-with-dash: The message on digits has a dash for its hyphen.': ['-', '–'],
  }),
  ...message('uppercase', {
    'uppercase-message-without-stop: The message on uppercase has no full stop.': [/.$/, ''],
    'uppercase-message-with-letter: The message on uppercase says `uppercase letter`.': (text) =>
      text.replace('uppercase', 'uppercase letter'),
    'uppercase-message-in-lower-case: The message on uppercase is in lower case.': (text) =>
      text.toLowerCase(),
    'uppercase-message-with-two-spaces: The message on uppercase has two spaces in a row.': {
      behaviour: [' ', '  '],
      smallest: { '7/uppercase-message': /^[^A-Z]{6}$/, '7/one-per-violation': /^[^A-Z]$/ },
    },
  }),
  ...breaking([...all, ...onePerViolation], worded(), {
    'singular-messages: The messages speak of one password.': ['Passwords', 'The password'],
    'translated-messages: The messages are in German.': () => 'Das Kennwort ist zu schwach.',
    'cut-messages: The messages are cut to 40 characters.': (text) => text.slice(0, 40),
  }),
  ...breaking(['7-digit-message', '7-uppercase-message', ...onePerViolation], asIs, {
    'messages-exchanged: The messages on digits and uppercase are exchanged.': {
      ruleMessage: (rule, policy) => ruleMessage(exchanged[rule] ?? rule, policy),
    },
  }),
  ...breaking(onePerViolation, reported, {
    'first-message-alone: Only the first violated rule is reported.': {
      behaviour: (violated) => violated.slice(0, 1),
      smallest: { '7/one-per-violation': /^.$/ },
    },
    'last-message-alone: Only the last violated rule is reported.': (violated) => violated.slice(-1),
    'length-message-alone: Of a short password nothing but the length is reported.': (violated) =>
      violated.includes('length') ? ['length'] : violated,
    'two-messages-at-most: No more than two violated rules are reported.': (violated) => violated.slice(0, 2),
    'every-message-always: Whatever is violated, every message is reported.': (violated) =>
      violated.length === 0 ? violated : ['length', 'non-letter-or-digit', 'digit', 'lowercase', 'uppercase'],
    'digit-message-with-length: With a wrong length, the message on digits is reported too.': {
      behaviour: (violated) =>
        violated.includes('length') ? [...new Set([...violated, 'digit' as const])] : violated,
      smallest: { '7/one-per-violation': /^\d$/ },
    },
    'uppercase-message-for-lowercase: A lack of lowercase is reported as a lack of uppercase.': (violated) =>
      violated.map((rule) => (rule === 'lowercase' ? 'uppercase' : rule)),
  }),
  ...breaking([...all, ...onePerViolation], asIs, {
    'rejected-without-words: A rejection has an empty body.': {
      renderRegistration: (body) => (JSON.stringify(body).includes('"errors"') ? '' : JSON.stringify(body)),
    },
    'rejected-with-codes: A rejection names the violated rules by codes.': { ruleMessage: (rule) => rule },
  }),
  ...breaking({ violates: ['8-R2'], collateral: onePerViolation, needs: 'other-policy' }, asIs, {
    'disabled-messages-with-others: Another rejection has the message on digits, which are not required.':
      reported((violated) => (violated.length === 0 ? violated : [...violated, 'digit'])),
  }),
  ...breaking({ violates: ['8-R2'], needs: 'other-policy' }, asIs, {
    'hint-on-success: An accepted registration is answered with a message on uppercase.': {
      registeredBody: ({ userName }) => ({
        userName,
        hint: "Passwords must have at least one uppercase ('A'-'Z').",
      }),
    },
  }),
]

const exchanged: Partial<Record<PasswordRule, PasswordRule>> = { digit: 'uppercase', uppercase: 'digit' }

/** Mutants with one listed message in other words. */
function message(rule: keyof typeof listed, rows: MutantRows<TextChange>): readonly Mutant[] {
  return breaking([listed[rule], ...onePerViolation], worded(rule), rows)
}

/** One message in other words, or every one. */
function worded(rule?: PasswordRule): (change: TextChange) => Override {
  return (change) => ({
    ruleMessage: (own, policy) => {
      const text = ruleMessage(own, policy)
      return rule === undefined || rule === own ? changed(change, text) : text
    },
  })
}

/** Other rules are reported than those that are violated. */
function reported(reportedRules: NonNullable<Override['reportedRules']>): Override {
  return { reportedRules }
}
