import { KATANA_REGISTRATION } from '../../conformance/drivers/send/probe/find-paths.js'
import type { LearntSettings } from '../../conformance/drivers/send/probe/learn-from-token.js'
import { codePointEscape } from '../../reports/formats/shared/escape.js'

/**
 * The values to fill in. A setting without a value becomes a commented example; so do the paths of registration and
 * external sign-in always, because a wrong request would only fail.
 */
export interface TemplateValues extends LearntSettings {
  readonly name: string
  readonly baseUrl: string
  readonly userName: string
}

const EMAIL_AND_POLICY = `emailDomain: example.com
policy:
  minimumLength: 6
  requireNonLetterOrDigit: true
  requireDigit: true
  requireLowercase: true
  requireUppercase: true
  alphanumericUserNamesOnly: false
  uniqueEmail: true`

/**
 * A target file with every key. `##` begins an explanation, `# ` an option: without the first mark of each line the file
 * is still valid. Passwords are environment variables, never values.
 */
export function renderTargetFile(values: TemplateValues): string {
  const { registrationPath, externalLoginPath = '/external-login' } = values
  const userName = yamlText(values.userName)
  const isKatana = registrationPath === KATANA_REGISTRATION
  return `## The service that \`token-assay run\` tests. A line that begins with "# " is an option: remove that mark to use it.
## Rules about what is not declared are not applicable; they do not fail. \${NAME} is an environment variable: use it for
## secrets ($\${ is a literal \${). A target file runs commands: do not use one from a source that you do not trust.

## The name of the service in reports.
name: ${yamlText(values.name)}

## http or https, with or without a path; /Token is appended. No user name, query or fragment.
baseUrl: ${yamlText(values.baseUrl)}

## The first account is the main one; failed logins may lock out the last one. A userId, if given, is compared.
accounts:
  - userName: ${userName}
    password: "\${TOKEN_ASSAY_PASSWORD}"
${option('    userId', values.userId === undefined ? undefined : yamlText(values.userId), '7d1f')}
#   - { userName: bob, password: "\${BOB_PASSWORD}" }

## The configured lifetime of a token in seconds; 14 days by default.
${option('tokenLifetime', values.tokenLifetime, '1209600')}

## Whether the service is configured to add userId to the token response.
${option('includesUserId', values.includesUserId, 'false')}

## Grant types that the service supports in addition to password. Katana itself knows these three, without being
## configured for them.
${isKatana ? '' : '# '}additionalGrantTypes: [client_credentials, refresh_token, authorization_code]

## What the service needs in every token request in addition to the contract. basic: the credentials of the client.
# tokenRequest:
#   path: /Token
#   headers: { X-Client: web }
#   form: { client_id: web }
#   basic: { userName: "\${CLIENT_ID}", password: "\${CLIENT_SECRET}" }

## How far, in seconds, .issued may be from the Date header of the answer, or from the clock of this machine if there is
## no Date header.
${option('clockSkew', values.clockSkew, '60')}

## The time-out of one request in milliseconds; the request rate; how many logins may fail in one run (for services that
## lock accounts).
# timeoutMs: 10000
# maxRequestsPerSecond: 50
# maxFailedLogins: 20

## Sent with every request.
# headers: { X-Api-Key: "\${API_KEY}" }

## PEM files, with paths relative to this file: a certificate authority to trust, and a client certificate.
# tls:
#   ca: ./ca.pem
#   cert: ./client.pem
#   key: ./client-key.pem
#   rejectUnauthorized: true

## The command that starts the service, without a shell; the suite stops it after the run.
# start:
#   command: [node, server.js]
#   env: { PORT: "5000" }
#   readyTimeoutMs: 30000

## Your own clients: \`diff\` tells which of them a difference breaks. They are called as
## \`token-assay client --help\` says, in the folder of this file.
# clients:
#   - { name: web, version: "2.1", command: [node, sign-in.js] }

## The request that registers an account: with it, a run registers its own accounts. The body is json or form, and may
## use $userName, $email and $password ($$ is a literal $). Accepted by default: any 2xx; rejected by default: any 4xx
## except 401, 403, 404, 405 and 429. cleanUp is sent for every account that the run registered. The values under policy
## are the defaults.
${isKatana ? KATANA_TEMPLATE : registrationExample(registrationPath)}
## The request by which a registered user, named by account, signs in through an external provider. prepare is sent
## first, to a path or a url; the values that it captures, by JSON pointers, can be used as $name. withoutCallback is a
## sign-in through a provider that has no registered callback.
# externalLogin:
#   prepare:
#     request: { method: POST, url: "http://127.0.0.1:6000/code", json: { user: alice } }
#     capture: { code: /code }
#   request: { method: POST, path: ${externalLoginPath}, json: { provider: acme, code: $code } }
#   account: ${userName}
#   withoutCallback: { method: POST, path: ${externalLoginPath}, form: { provider: no-callback } }

## The same service with other settings: each deployment is merged over the keys above (RFC 7396).
# deployments:
#   default: {}
#   with-user-id: { baseUrl: "http://127.0.0.1:5001", includesUserId: true }
#   new: { baseUrl: "http://127.0.0.1:5002", role: new, instances: ["http://127.0.0.1:5003"] }

## For \`rehearse\`: requests that a good $token makes 2xx and a bad one 401 (active: the member of a 2xx answer that says
## so), and what is expected. The deployments \`old\` and \`new\`, or those with that role, are the two services.
# resource:
#   me: { path: /me, headers: { Authorization: Bearer $token } }
#   api:
#     baseUrl: http://127.0.0.1:7000
#     instances: ["http://127.0.0.1:7001"]
#     method: POST
#     path: /introspect
#     form: { token: $token }
#     active: /active
# expect: { "old→new": accepted }

## Also for \`rehearse\`: how the service is restarted (by default as it is started), and how a token is renewed: capture
## is the place of the refresh token in the answer to a sign-in, lifetime the seconds that it lives.
# restart:
#   command: [docker, restart, accounts]
#   env: { DOCKER_HOST: "unix:///var/run/docker.sock" }
#   readyTimeoutMs: 30000
# refresh:
#   request: { method: POST, path: /Token, form: { grant_type: refresh_token, refresh_token: $refreshToken } }
#   capture: /refresh_token
#   lifetime: 2592000

## Also for \`rehearse\`: how a token is revoked, and the origins of the pages that sign in and read resources.
# revoke: { method: POST, path: /revoke, form: { token: $token } }
# origins: ["https://app.example"]

## Also for \`rehearse\`: accounts that were migrated, in CSV or JSON; userName is the field with their names. Every one
## logs in at both services, perSecond at most, until maxFailedLogins have failed at one. passwords: a command that
## prints them, one a line; or password: the same for all.
# cohort:
#   file: migrated.csv
#   userName: UserName
#   passwords: { command: [node, print-passwords.js], env: { VAULT: accounts } }
#   perSecond: 10
#   maxFailedLogins: 20
`
}

/** What the project template of ASP.NET Web API 2 takes: the address is the user name. */
const KATANA_TEMPLATE = `registration:
  request:
    method: POST
    path: ${KATANA_REGISTRATION}
    json: { Email: $email, Password: $password, ConfirmPassword: $password }
  accepted: [200]
  rejected: [400]
  immediate: true
  loginName: $email
${EMAIL_AND_POLICY.replaceAll(/^/gm, '#   ')}`

function registrationExample(path = '/accounts'): string {
  return `# registration:
#   request:
#     method: POST
#     path: ${path}
#     json: { userName: $userName, email: $email, password: $password }
#   accepted: [200, 201]
#   rejected: [400, 422]
#   rejectedWhen: { /succeeded: false } # a rejection too, where an accepted status comes with that JSON
#   immediate: true
#   loginName: $userName                # or $email: what a new account logs in with
#   cleanUp: { method: DELETE, path: /accounts/$userName, headers: { Accept: application/json } }
${EMAIL_AND_POLICY.replaceAll(/^/gm, '#   ')}`
}

/** A key with its learnt value, or commented out with an example. */
function option(key: string, value: string | number | boolean | undefined, example: string): string {
  if (value === undefined) return `# ${key}: ${example}`
  // What is declared here is no longer compared with what the specification says.
  const seen = String(value) === example ? '' : ' # seen in an answer: check that it is configured so'
  return `${key}: ${value}${seen}`
}

// Characters that are invisible or reorder text: the text may come from a service.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text as a YAML 1.2 string in double quotes, for a target file: `${` in it is literal. */
function yamlText(text: string): string {
  const literal = text.replaceAll('${', () => '$${')
  // Every JSON string is a YAML string; beyond the basic plane YAML has its own escape.
  return JSON.stringify(literal).replace(HIDDEN, (character) =>
    codePointEscape(character).replace(/^\\u\{(.*)\}$/, (_, hex: string) => `\\U${hex.padStart(8, '0')}`),
  )
}
