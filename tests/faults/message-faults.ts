import { type AccountPolicy, type PasswordRule, ruleMessage } from '../../reference/policy.js'
import type { Fault } from './fault.js'

/** The messages are changed on their way out. */
function said(change: (message: string, rule: PasswordRule, policy: AccountPolicy) => string) {
  return {
    ruleMessage: (rule: PasswordRule, policy: AccountPolicy) =>
      change(ruleMessage(rule, policy), rule, policy),
  }
}

/** A rejection says one message more. */
function alsoSaid(rule: PasswordRule): Fault['behaviour'] {
  return {
    reportedRules: (violated) => (violated.length === 0 ? [] : [...new Set([...violated, rule])]),
  }
}

/** Where a message is not letter for letter, the listed one is missing too: 7-one-per-violation. */
export const MESSAGE_FAULTS: readonly Fault[] = [
  {
    name: 'a message has a word in two',
    behaviour: said((message) => message.replace('uppercase', 'upper case')),
    failed: ['7-one-per-violation', '7-uppercase-message'],
    smallest: { '7/uppercase-message': /^[^A-Z]{6}$/, '7/one-per-violation': /^[^A-Z]$/ },
    runs: 20,
  },
  {
    name: 'a message is escaped for HTML',
    behaviour: said((message, rule) => (rule === 'digit' ? message.replaceAll("'", '&#39;') : message)),
    failed: ['7-digit-message', '7-one-per-violation'],
    smallest: { '7/digit-message': /^\D{6}$/ },
    runs: 20,
  },
  {
    name: 'messages have typographic apostrophes',
    behaviour: said((message) => message.replaceAll("'", '’')),
    failed: ['7-digit-message', '7-one-per-violation', '7-uppercase-message'],
  },
  {
    name: 'a message has a hyphen',
    behaviour: said((message) => message.replace('non letter', 'non-letter')),
    failed: ['7-non-letter-or-digit-message', '7-one-per-violation'],
    smallest: { '7/non-letter-or-digit-message': /^[^\W_]{6}$/ },
    runs: 20,
  },
  {
    name: 'a message is said for a rule that is not violated',
    behaviour: alsoSaid('digit'),
    failed: ['7-one-per-violation'],
    smallest: { '7/one-per-violation': /^\d$/ },
    runs: 20,
  },
  {
    name: 'the first message alone is said',
    behaviour: { reportedRules: (violated) => violated.slice(0, 1) },
    failed: ['7-one-per-violation'],
    smallest: { '7/one-per-violation': /^.$/ },
    runs: 20,
  },
  {
    name: "a disabled setting's message is said in a rejection for another reason",
    under: 'no digit required',
    behaviour: alsoSaid('digit'),
    failed: ['7-one-per-violation', '8-R2'],
  },
]
