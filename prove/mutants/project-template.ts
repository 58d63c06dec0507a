import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import type { Answer } from '../../reference/http/answer.js'
import { formValues, parseForm } from '../../reference/http/form.js'
import type { ReceivedRequest } from '../../reference/http/received-request.js'
import { katana, SESSION, settingCookie } from '../profiles/as-katana.js'
import type { Mutant } from './mutant.js'
import { asksForToken, FAILURE } from './overrides.js'

const withSession = settingCookie(SESSION)
const LENGTH = 'The Password must be at least 6 characters long.'

const template: Partial<Behaviour> = {
  ...katana,
  acceptsMethod: () => true,
  acceptsMediaType: () => true,
  registrationPath: () => '/api/Account/Register',
  newAccount: ({ Email, Password }) => ({ userName: Email, email: Email, password: Password }),
  policyInForce: (configured) => ({ ...configured, alphanumericUserNamesOnly: false }),
  // The annotation of the model answers before the validator of passwords is asked.
  reportedRules: (violated) => (violated.includes('length') ? ['length'] : violated),
  ruleMessage: (rule, policy) => (rule === 'length' ? LENGTH : specifiedBehaviour.ruleMessage(rule, policy)),
  deliver: (answer, request) => withSession(answerOf(answer, request), request),
}

/** What the provider of the template does not override ends in an exception, or in an error of Katana's own. */
function answerOf(answer: Answer, request: ReceivedRequest): Answer {
  if (!asksForToken(request)) return answer
  const form = parseForm(request.body)
  const has = (name: string): boolean => formValues(form, name).length > 0
  const refused = (error: string): Answer => ({ ...answer, status: 400, body: JSON.stringify({ error }) })
  switch (formValues(form, 'grant_type').join()) {
    case 'client_credentials':
      return refused('unauthorized_client')
    case 'refresh_token':
      return has('refresh_token') ? refused('invalid_grant') : FAILURE
    case 'authorization_code':
      return has('code') ? refused('invalid_grant') : FAILURE
    case 'password':
      return has('username') && has('password') ? answer : FAILURE
    default:
      return answer
  }
}

/** docs/katana-template.md tells more. */
export const projectTemplate: Mutant = {
  id: 'katana-template',
  description: 'A service from the project template of ASP.NET Web API 2, as it ships.',
  violates: ['4.1-method', '4.1-content-type', '7-one-per-violation'],
  // Where those grant types are not declared, as in an exported script.
  collateral: ['7-token-error-status', '7-token-error-body', '7-token-error-media-type'],
  needs: 'default',
  expect: 'failed',
  declares: {
    additionalGrantTypes: ['client_credentials', 'refresh_token', 'authorization_code'],
    registration: {
      request: {
        path: '/api/Account/Register',
        json: { userName: null, email: null, password: null, Email: '$email', Password: '$password' },
      },
      immediate: true,
      loginName: '$email',
      policy: { alphanumericUserNamesOnly: false },
    },
  },
  options: { bodyLimitBytes: 4 * 1024 * 1024 },
  behaviour: () => ({ ...template }),
}
