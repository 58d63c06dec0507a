import { allowsUserName, ruleMessage, violatedRules } from '../../reference/policy.js'
import type { Json } from '../../spec/model/json.js'
import { passes, passwordRules, type TextTest } from '../mutants/overrides.js'
import type { Override } from '../mutants/rows.js'
import { conforming, type Variant } from './variant.js'

/** How a service speaks of new accounts is not shown, but for the listed messages. */
export const registrationVariants: readonly Variant[] = conforming({
  'messages-joined: The messages of a rejection are one string, as in ASP.NET Identity.': {
    rejectedBody: (errors) => ({ errors: [errors.join(' ')] }),
  },
  'messages-nested: The messages of a rejection are deep in an object.': {
    rejectedBody: (errors) => ({
      message: 'The request is invalid.',
      modelState: { '': [...errors], password: errors.map((text) => ({ text, level: 2 })) },
    }),
  },
  'messages-as-text: A rejection is plain text, one message per line.': {
    renderRegistration: (body) => linesOf(body).join('\r\n'),
    registrationMediaType: () => 'text/plain;charset=UTF-8',
  },
  'messages-in-other-order: The messages of a rejection are in reverse order.': {
    rejectedBody: (errors) => ({ errors: [...errors].reverse() }),
  },
  'messages-with-others: A rejection has messages that the specification does not list.': {
    rejectedBody: (errors) => ({ errors: ['That did not work.', ...errors, 'Passwords are secret.'] }),
  },
  'messages-in-a-page: A rejection is a page with unescaped quotes.': {
    renderRegistration: (body) =>
      `<!doctype html><ul>${linesOf(body)
        .map((line) => `<li>${line}</li>`)
        .join('')}</ul>`,
    registrationMediaType: () => 'text/html;charset=UTF-8',
  },
  'length-and-lower-case-unnamed: The messages do not name the length or lowercase letters.': {
    ruleMessage: (rule, policy) =>
      rule === 'length' || rule === 'lowercase' ? 'The password is weak.' : ruleMessage(rule, policy),
  },
  'rejected-by-422: A rejection has status 422.': { rejectedStatus: () => 422 },
  'registered-by-204: An accepted registration gets 204 without a body.': {
    registeredStatus: () => 204,
    renderRegistration: bodyOfRejected,
  },
  'case-folding-e-mail: The letter case of e-mail addresses does not matter.': {
    emailKey: (email) => email.toLowerCase(),
  },
  'plain-e-mail: E-mail addresses may contain only letters, digits and dots.': {
    allowsEmail: (email) => /^[A-Za-z0-9.]+@[a-z.]+$/.test(email),
  },
  'user-names-of-20: User names have at most 20 characters.': named(20),
  'user-names-of-16: User names have at most 16 characters.': named(16),
  'passwords-of-64: Passwords have at most 64 characters.': rejecting((password) => password.length > 64),
  'no-three-in-a-row: A character three times in a row is rejected in a password.': rejecting(/(.)\1\1/),
  'no-outer-space: White space at the start or the end of a password is rejected.': rejecting(/^\s|\s$/),
  'passwords-of-ascii: A password of characters beyond ASCII is rejected.': rejecting(/[^ -~]/u),
  'passwords-by-nfc: Passwords are normalised by NFC (RFC 8265), stored and compared.': {
    passwordAsHashed: (password) => password.normalize('NFC').replace(/\p{Zs}/gu, ' '),
  },
  'user-names-by-nfkc: User names that are one by NFKC and in lower case are one.': {
    userNameKey: (userName) => userName.normalize('NFKC').toLowerCase(),
  },
  'first-reason-alone: A weak password is all that a rejection speaks of.': {
    rejectedBody: (errors) => {
      const ofPassword = errors.filter((error) => error.startsWith('Password'))
      return { errors: ofPassword.length > 0 ? ofPassword : errors }
    },
  },
  'email-domain-without-case: The domain of an address is compared without case.': {
    emailKey: (email) => email.replace(/@.*/, (domain) => domain.toLowerCase()),
  },
  'unicode-classes: Letters of every alphabet count as letters.': {
    violatedRules: (password, policy) =>
      violatedRules(password.normalize('NFD').replace(/\p{M}/gu, ''), policy),
  },
  'other-policy: Every switch of the policy is turned round, as is declared.': {
    behaviour: {},
    needs: 'other-policy',
  },
  'with-user-id: userId is added, as is configured.': { behaviour: {}, needs: 'with-user-id' },
})

function named(maxLength: number): Override {
  return {
    allowsUserName: (userName, policy) => userName.length <= maxLength && allowsUserName(userName, policy),
  }
}

/** Passwords of that kind are rejected too, by a message that the specification does not list. */
function rejecting(test: TextTest): Override {
  return passwordRules((violated, password) =>
    passes(test, password) && !violated.includes('length') ? ['length', ...violated] : violated,
  )
}

function linesOf(body: Json): readonly string[] {
  const lines = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined
  return Array.isArray(lines) ? lines.map(String) : ['Welcome.']
}

function bodyOfRejected(body: Json): string {
  return JSON.stringify(body).includes('"errors"') ? JSON.stringify(body) : ''
}
