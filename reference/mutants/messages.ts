import { type PasswordRule, ruleMessage } from '../policy.js'
import type { Mutant } from './mutant.js'
import { mutants, type Row } from './row.js'

const listed = {
  'non-letter-or-digit': '7-non-letter-or-digit-message',
  digit: '7-digit-message',
  uppercase: '7-uppercase-message',
} as const satisfies Partial<Record<PasswordRule, string>>
type Listed = keyof typeof listed
const all = Object.values(listed)
const surplus = ['7-one-per-violation']

/** 7: one message per violated rule, letter for letter; 8-R2: none of a disabled one. */
export const messageMutants: readonly Mutant[] = mutants([
  text(
    'symbol-message-with-hyphen',
    'The first message says `non-letter`.',
    'non-letter-or-digit',
    (message) => message.replace('non letter', 'non-letter'),
  ),
  text(
    'symbol-message-special',
    'The first message asks for a special character.',
    'non-letter-or-digit',
    () => 'Passwords must have at least one special character.',
  ),
  text('digit-message-with-curly-quotes', 'The message on digits has curly quotes.', 'digit', (message) =>
    message.replace(/'(.)'/g, '‘$1’'),
  ),
  text('digit-message-without-range', 'The message on digits does not say which.', 'digit', (message) =>
    message.replace(/ \(.*\)/, ''),
  ),
  text(
    'digit-message-in-html',
    'The quotes of the message on digits are character references of HTML.',
    'digit',
    (message) => message.replaceAll("'", '&#39;'),
  ),
  text('digit-message-with-dash', 'The message on digits has a dash for its hyphen.', 'digit', (message) =>
    message.replace('-', '–'),
  ),
  text(
    'uppercase-message-without-stop',
    'The message on uppercase has no full stop.',
    'uppercase',
    (message) => message.slice(0, -1),
  ),
  text(
    'uppercase-message-with-letter',
    'The message on uppercase says `uppercase letter`.',
    'uppercase',
    (message) => message.replace('uppercase', 'uppercase letter'),
  ),
  text(
    'uppercase-message-in-lower-case',
    'The message on uppercase is in lower case.',
    'uppercase',
    (message) => message.toLowerCase(),
  ),
  text(
    'uppercase-message-with-two-spaces',
    'The message on uppercase has two spaces in a row.',
    'uppercase',
    (message) => message.replace(' ', '  '),
  ),
  every('singular-messages', 'The messages speak of one password.', (message) =>
    message.replace('Passwords', 'The password'),
  ),
  every('translated-messages', 'The messages are in German.', () => 'Das Kennwort ist zu schwach.'),
  every('cut-messages', 'The messages are cut to 40 characters.', (message) => message.slice(0, 40)),
  {
    id: 'messages-exchanged',
    sentence: 'The messages on digits and uppercase are exchanged.',
    violates: ['7-digit-message', '7-uppercase-message', ...surplus],
    behaviour: () => ({ ruleMessage: (rule, policy) => ruleMessage(exchanged[rule] ?? rule, policy) }),
  },
  reported('first-message-alone', 'Only the first violated rule is told.', (violated) =>
    violated.slice(0, 1),
  ),
  reported('last-message-alone', 'Only the last violated rule is told.', (violated) => violated.slice(-1)),
  reported('length-message-alone', 'Of a short password nothing else is told.', (violated) =>
    violated.includes('length') ? ['length'] : violated,
  ),
  reported('two-messages-at-most', 'No more than two violated rules are told.', (violated) =>
    violated.slice(0, 2),
  ),
  reported('every-message-always', 'Whatever is violated, every message is told.', (violated) =>
    violated.length === 0 ? violated : ['length', 'non-letter-or-digit', 'digit', 'lowercase', 'uppercase'],
  ),
  reported('digit-message-with-length', 'With the length, digits are told of.', (violated) =>
    violated.includes('length') ? [...violated, 'digit'] : violated,
  ),
  reported(
    'uppercase-message-for-lowercase',
    'A lack of lowercase is told as a lack of uppercase.',
    (violated) => violated.map((rule) => (rule === 'lowercase' ? 'uppercase' : rule)),
  ),
  {
    id: 'rejected-without-words',
    sentence: 'A rejection has an empty body.',
    violates: [...all, ...surplus],
    behaviour: () => ({
      renderRegistration: (body) => (JSON.stringify(body).includes('"errors"') ? '' : JSON.stringify(body)),
    }),
  },
  {
    id: 'rejected-with-codes',
    sentence: 'A rejection names the violated rules by codes.',
    violates: [...all, ...surplus],
    behaviour: () => ({ ruleMessage: (rule) => rule }),
  },
  {
    id: 'disabled-messages-with-others',
    sentence: 'A rejection for another reason tells of digits too, which are not required.',
    violates: ['8-R2'],
    collateral: surplus,
    needs: 'other-policy',
    behaviour: () => ({
      reportedRules: (violated) => (violated.length === 0 ? violated : [...violated, 'digit']),
    }),
  },
  {
    id: 'hint-on-success',
    sentence: 'An accepted registration is answered with the message on uppercase, which is not required.',
    violates: ['8-R2'],
    needs: 'other-policy',
    behaviour: () => ({
      registeredBody: ({ userName }) => ({
        userName,
        hint: "Passwords must have at least one uppercase ('A'-'Z').",
      }),
    }),
  },
])

const exchanged: Partial<Record<PasswordRule, PasswordRule>> = { digit: 'uppercase', uppercase: 'digit' }

/** One listed message in other words. */
function text(id: string, sentence: string, rule: Listed, change: (message: string) => string): Row {
  return {
    id,
    sentence,
    violates: [listed[rule], ...surplus],
    behaviour: () => ({
      ruleMessage: (own, policy) =>
        own === rule ? change(ruleMessage(own, policy)) : ruleMessage(own, policy),
    }),
  }
}

/** Every message in other words. */
function every(id: string, sentence: string, change: (message: string) => string): Row {
  return {
    id,
    sentence,
    violates: [...all, ...surplus],
    behaviour: () => ({ ruleMessage: (rule, policy) => change(ruleMessage(rule, policy)) }),
  }
}

/** Other rules are told than those that are violated. */
function reported(
  id: string,
  sentence: string,
  change: (violated: readonly PasswordRule[]) => readonly PasswordRule[],
): Row {
  return {
    id,
    sentence,
    violates: surplus,
    behaviour: () => ({ reportedRules: (violated) => change(violated) }),
  }
}
