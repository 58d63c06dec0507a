import { yamlText } from './yaml-text.js'

/** What is filled in; what is left out is an example, commented out. */
export interface TemplateValues {
  readonly name: string
  readonly baseUrl: string
  readonly userName: string
  readonly userId?: string
  /** Seconds. */
  readonly tokenLifetime?: number
  readonly includesUserId?: boolean
  /** Seconds. */
  readonly clockSkew?: number
  /** Where something answers; both stay commented out, since a wrong request would only fail. */
  readonly registrationPath?: string
  readonly externalLoginPath?: string
}

/**
 * A target file with every key that there is. `##` begins an explanation and `# ` an option: a text editor that takes
 * the first mark of both away leaves a valid file. Passwords are environment variables, never values.
 */
export function renderTargetFile(values: TemplateValues): string {
  const { registrationPath = '/accounts', externalLoginPath = '/external-login' } = values
  const userName = yamlText(values.userName)
  return `## What \`token-assay run\` assesses. A line that begins with "# " is an option: take that mark away to declare it.
## What is not declared is inapplicable, not failed. \${NAME} takes an environment variable, which is the place for
## secrets ($\${ is a literal \${). A target file runs commands: do not take one from an untrusted change.

## How reports call the service.
name: ${yamlText(values.name)}

## http or https, with or without a path; /Token is appended. No user name, no query, no fragment.
baseUrl: ${yamlText(values.baseUrl)}

## The first is the main one; the last may be locked out by failed logins. A userId is compared when it is given.
accounts:
  - userName: ${userName}
    password: "\${TOKEN_ASSAY_PASSWORD}"
${option('    userId', values.userId === undefined ? undefined : yamlText(values.userId), '7d1f')}
#   - { userName: bob, password: "\${BOB_PASSWORD}" }

## How long a token is configured to live, in seconds; 14 days by default.
${option('tokenLifetime', values.tokenLifetime, '1209600')}

## Whether the service is configured to add userId to the token response.
${option('includesUserId', values.includesUserId, 'false')}

## Grant types besides password that the service is meant to support.
# additionalGrantTypes: [refresh_token]

## By how many seconds .issued may differ from the answer's Date, or from this machine's clock where there is none.
${option('clockSkew', values.clockSkew, '60')}

## The time for one exchange in milliseconds; how fast to go; how many logins of a run may fail, for services that lock
## accounts.
# timeoutMs: 10000
# maxRequestsPerSecond: 50
# maxFailedLogins: 20

## Sent with every request.
# headers: { X-Api-Key: "\${API_KEY}" }

## PEM files, relative to this file: an authority to trust, and a client certificate.
# tls:
#   ca: ./ca.pem
#   cert: ./client.pem
#   key: ./client-key.pem
#   rejectUnauthorized: true

## How to start the service, without a shell; the suite stops it after the run.
# start:
#   command: [node, server.js]
#   env: { PORT: "5000" }
#   readyTimeoutMs: 30000

## How an account is registered: a run then makes accounts of its own. Requests take json or form, and may use
## $userName, $email and $password ($$ is a literal $). Accepted by default: any 2xx; rejected: any 4xx but 401, 403,
## 404, 405 and 429. cleanUp is sent for every account that was made. The policy's values are the defaults.
# registration:
#   request:
#     method: POST
#     path: ${registrationPath}
#     json: { userName: $userName, email: $email, password: $password }
#   accepted: [200, 201]
#   rejected: [400, 422]
#   immediate: true
#   emailDomain: example.com
#   cleanUp: { method: DELETE, path: /accounts/$userName, headers: { Accept: application/json } }
#   policy:
#     minimumLength: 6
#     requireNonLetterOrDigit: true
#     requireDigit: true
#     requireLowercase: true
#     requireUppercase: true
#     alphanumericUserNamesOnly: false
#     uniqueEmail: true

## How a registered user signs in through an outside provider: account says who that is. prepare is sent first, to a
## path or a url; what it captures, by JSON pointers, can be used as $name. withoutCallback is a sign-in through a
## provider at which no callback address is registered.
# externalLogin:
#   prepare:
#     request: { method: POST, url: "http://127.0.0.1:6000/code", json: { user: alice } }
#     capture: { code: /code }
#   request: { method: POST, path: ${externalLoginPath}, json: { provider: acme, code: $code } }
#   account: ${userName}
#   withoutCallback: { method: POST, path: ${externalLoginPath}, form: { provider: no-callback } }

## The same service under other settings: each is merged over the keys above (RFC 7396).
# deployments:
#   default: {}
#   with-user-id: { baseUrl: "http://127.0.0.1:5001", includesUserId: true }
`
}

/** A key with the value that was learnt, or commented out with an example. */
function option(key: string, value: string | number | boolean | undefined, example: string): string {
  return value === undefined ? `# ${key}: ${example}` : `${key}: ${value}`
}
