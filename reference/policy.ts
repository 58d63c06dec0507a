import type { Policy } from '../spec/model/policy.js'

/** The account policy of section 8; `minimumLength` is at least 1, in UTF-16 units. */
export type AccountPolicy = Policy

export type PasswordRule = 'length' | 'non-letter-or-digit' | 'digit' | 'lowercase' | 'uppercase'

/** In the order of their messages. */
const passwordRules: readonly PasswordRule[] = [
  'length',
  'non-letter-or-digit',
  'digit',
  'lowercase',
  'uppercase',
]

/** Whether a password violates a rule that the policy enables. Letters and digits are those of ASCII. */
function violates(rule: PasswordRule, password: string, policy: AccountPolicy): boolean {
  switch (rule) {
    case 'length':
      return password.length < policy.minimumLength
    case 'non-letter-or-digit':
      return policy.requireNonLetterOrDigit && !/[^A-Za-z0-9]/.test(password)
    case 'digit':
      return policy.requireDigit && !/[0-9]/.test(password)
    case 'lowercase':
      return policy.requireLowercase && !/[a-z]/.test(password)
    case 'uppercase':
      return policy.requireUppercase && !/[A-Z]/.test(password)
  }
}

/** Every rule that a password violates, in the order of the messages. */
export function violatedRules(password: string, policy: AccountPolicy): readonly PasswordRule[] {
  return passwordRules.filter((rule) => violates(rule, password, policy))
}

/** The message for a violated rule: section 7's, letter for letter; of the others none is listed. */
export function ruleMessage(rule: PasswordRule, policy: AccountPolicy): string {
  switch (rule) {
    case 'length':
      return `Passwords must be at least ${policy.minimumLength} characters.`
    case 'non-letter-or-digit':
      return 'Passwords must have at least one non letter or digit character.'
    case 'digit':
      return "Passwords must have at least one digit ('0'-'9')."
    case 'lowercase':
      return "Passwords must have at least one lowercase ('a'-'z')."
    case 'uppercase':
      return "Passwords must have at least one uppercase ('A'-'Z')."
  }
}

/** Whether the policy lets an account have this name; on, it rejects `@`, `.` and `_` too. */
export function allowsUserName(userName: string, policy: AccountPolicy): boolean {
  // Not a `$` at the end: a line end is not alphanumeric.
  return !policy.alphanumericUserNamesOnly || !/[^A-Za-z0-9]/.test(userName)
}
