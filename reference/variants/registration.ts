import type { Json } from '../../spec/types.js'
import { ruleMessage, violatedRules } from '../policy.js'
import { variants } from './row.js'

/** How a service speaks of new accounts is not shown, but for the listed messages. */
export const registrationVariants = variants([
  {
    id: 'messages-joined',
    sentence: 'The messages of a rejection are one string, as in ASP.NET Identity.',
    behaviour: () => ({ rejectedBody: (errors) => ({ errors: [errors.join(' ')] }) }),
  },
  {
    id: 'messages-nested',
    sentence: 'The messages of a rejection are deep in an object.',
    behaviour: () => ({
      rejectedBody: (errors) => ({
        message: 'The request is invalid.',
        modelState: { '': [...errors], password: errors.map((text) => ({ text, level: 2 })) },
      }),
    }),
  },
  {
    id: 'messages-as-text',
    sentence: 'A rejection is a text of one message a line.',
    behaviour: () => ({
      renderRegistration: (body) => linesOf(body).join('\r\n'),
      registrationMediaType: () => 'text/plain;charset=UTF-8',
    }),
  },
  {
    id: 'messages-in-other-order',
    sentence: 'The messages of a rejection are in the opposite order.',
    behaviour: () => ({ rejectedBody: (errors) => ({ errors: [...errors].reverse() }) }),
  },
  {
    id: 'messages-with-others',
    sentence: 'A rejection has messages that the specification does not list.',
    behaviour: () => ({
      rejectedBody: (errors) => ({ errors: ['That did not work.', ...errors, 'Passwords are secret.'] }),
    }),
  },
  {
    id: 'messages-in-a-page',
    sentence: 'A rejection is a page; it escapes no quotes.',
    behaviour: () => ({
      renderRegistration: (body) =>
        `<!doctype html><ul>${linesOf(body)
          .map((line) => `<li>${line}</li>`)
          .join('')}</ul>`,
      registrationMediaType: () => 'text/html;charset=UTF-8',
    }),
  },
  {
    id: 'length-and-lower-case-unnamed',
    sentence: 'Nothing is said of the length and of lowercase letters.',
    behaviour: () => ({
      ruleMessage: (rule, policy) =>
        rule === 'length' || rule === 'lowercase' ? 'The password is weak.' : ruleMessage(rule, policy),
    }),
  },
  {
    id: 'rejected-by-422',
    sentence: 'A rejection has status 422.',
    behaviour: () => ({ rejectedStatus: () => 422 }),
  },
  {
    id: 'registered-by-204',
    sentence: 'An accepted registration is answered by 204 and no body.',
    behaviour: () => ({ registeredStatus: () => 204, renderRegistration: bodyOfRejected }),
  },
  {
    id: 'case-folding-e-mail',
    sentence: 'The letter case of e-mail addresses does not matter.',
    behaviour: () => ({ emailKey: (email) => email.toLowerCase() }),
  },
  {
    id: 'unicode-classes',
    sentence: 'Letters of every alphabet count as letters.',
    behaviour: () => ({
      violatedRules: (password, policy) =>
        violatedRules(password.normalize('NFD').replace(/\p{M}/gu, ''), policy),
    }),
  },
  {
    id: 'other-policy',
    sentence: 'Every switch of the policy is turned round, as is declared.',
    needs: 'other-policy',
  },
  {
    id: 'with-user-id',
    sentence: 'userId is added, as is configured.',
    needs: 'with-user-id',
  },
])

function linesOf(body: Json): readonly string[] {
  const lines = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined
  return Array.isArray(lines) ? lines.map(String) : ['Welcome.']
}

function bodyOfRejected(body: Json): string {
  return JSON.stringify(body).includes('"errors"') ? JSON.stringify(body) : ''
}
