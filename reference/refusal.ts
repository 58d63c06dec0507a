import type { Json } from '../spec/model/json.js'
import type { HeaderList } from '../spec/model/report.js'

/** Why a request was refused. The wire says less than this; the journal and the log say it all. */
export type Refusal =
  | 'unknown-path'
  | 'unknown-scope'
  | 'wrong-method'
  | 'body-too-long'
  | 'wrong-media-type'
  | 'no-grant-type'
  | 'unsupported-grant-type'
  | 'malformed-form'
  | 'repeated-parameter'
  | 'no-user-name'
  | 'no-password'
  | 'unknown-user'
  | 'wrong-password'
  | 'no-refresh-token'
  | 'unknown-refresh-token'
  | 'spent-refresh-token'
  | 'revoked-refresh-token'
  | 'expired-refresh-token'
  | 'not-json'
  | 'account-rejected'
  | 'malformed-sign-in'
  | 'unknown-provider'
  | 'provider-unauthorized'
  | 'provider-refused'
  | 'provider-failed'
  | 'not-linked'
  | 'no-token'
  | 'malformed-token'
  | 'unknown-token'
  | 'expired-token'
  | 'revoked-token'
  | 'wrong-resource-method'
  | 'preflight-refused'
  | 'hook-failed'
  | 'busy'
  | 'failure'

interface RefusalDetails {
  readonly status: number
  readonly error: string
  /** Sent as `error_description` (RFC 6749 5.2). */
  readonly description?: string
  /** Sent in addition to those of every answer. */
  readonly headers?: HeaderList
  /** For people who read the journal; holds nothing of the request. */
  readonly why: string
}

const unsupportedGrantType = { status: 400, error: 'unsupported_grant_type' }
const wrongCredentials = {
  status: 400,
  error: 'invalid_grant',
  // One text for both: an answer must not tell which user names exist.
  description: 'The user name or password is incorrect.',
}

const invalidRefreshToken = {
  status: 400,
  error: 'invalid_grant',
  description: 'The refresh token is not valid.',
}

const invalidToken = {
  status: 401,
  error: 'invalid_token',
  description: 'The token is not valid.',
  headers: [
    ['WWW-Authenticate', 'Bearer error="invalid_token", error_description="The token is not valid."'],
  ],
} as const

const details = {
  'unknown-path': { status: 404, error: 'not_found', why: 'nothing is served at this path' },
  'unknown-scope': { status: 404, error: 'not_found', why: 'no scope has the name that the request gives' },
  'wrong-method': {
    status: 405,
    error: 'invalid_request',
    description: 'Only POST is allowed here.',
    headers: [['Allow', 'POST']],
    why: 'the method is not POST',
  },
  'body-too-long': {
    status: 413,
    error: 'invalid_request',
    description: 'The body is too long.',
    why: 'the body is longer than the limit',
  },
  'wrong-media-type': {
    ...unsupportedGrantType,
    why: 'the Content-Type is not application/x-www-form-urlencoded in UTF-8',
  },
  'no-grant-type': { ...unsupportedGrantType, why: 'the form holds no readable grant_type' },
  'unsupported-grant-type': { ...unsupportedGrantType, why: 'the grant_type is not exactly "password"' },
  'malformed-form': {
    status: 400,
    error: 'invalid_request',
    description: 'The form is not well-formed.',
    why: 'the form holds a bad % escape, bytes that are not UTF-8, or too many pairs',
  },
  'repeated-parameter': {
    status: 400,
    error: 'invalid_request',
    description: 'A parameter is repeated.',
    why: 'grant_type, username, password or refresh_token occurs more than once',
  },
  'no-user-name': {
    status: 400,
    error: 'invalid_request',
    description: 'The username is missing.',
    why: 'the form holds no username',
  },
  'no-password': {
    status: 400,
    error: 'invalid_request',
    description: 'The password is missing.',
    why: 'the form holds no password',
  },
  'unknown-user': { ...wrongCredentials, why: 'no account has this user name' },
  'wrong-password': { ...wrongCredentials, why: 'the password is not that of the account' },
  'no-refresh-token': {
    status: 400,
    error: 'invalid_request',
    description: 'The refresh_token is missing.',
    why: 'the form holds no refresh_token',
  },
  'unknown-refresh-token': {
    ...invalidRefreshToken,
    why: 'the refresh token was not issued here, or not since the last reset, or it is forgotten',
  },
  'spent-refresh-token': { ...invalidRefreshToken, why: 'the refresh token was used before, and works once' },
  'revoked-refresh-token': {
    ...invalidRefreshToken,
    why: 'the refresh token was revoked: by a test, by a second use of one of its sign-in, or with its account',
  },
  'expired-refresh-token': { ...invalidRefreshToken, why: 'the refresh token has expired' },
  'not-json': {
    status: 415,
    error: 'invalid_request',
    description: 'The body must be JSON.',
    why: 'the Content-Type is not application/json in UTF-8',
  },
  // Its answer lists the errors instead.
  'account-rejected': { status: 400, error: 'invalid_request', why: 'the new account is not allowed' },
  'malformed-sign-in': {
    status: 400,
    error: 'invalid_request',
    description: 'The body must be a JSON object with the strings provider and code.',
    why: 'the body is no JSON object with the strings provider and code',
  },
  'unknown-provider': {
    status: 400,
    error: 'invalid_request',
    description: 'The provider is not known.',
    why: 'no provider of this name is configured',
  },
  'provider-unauthorized': {
    status: 401,
    error: 'invalid_client',
    description: 'The provider does not accept this service.',
    headers: [['WWW-Authenticate', 'Bearer']],
    why: 'the provider answered 401, or no `redirectUri` is configured: is the callback address registered there?',
  },
  'provider-refused': {
    status: 400,
    error: 'invalid_grant',
    description: 'The provider does not accept the code.',
    why: 'the provider refused the authorization code',
  },
  'provider-failed': {
    status: 502,
    error: 'server_error',
    description: 'The provider cannot be used.',
    why: 'the provider did not answer, or not as OpenID Connect asks',
  },
  'not-linked': {
    status: 400,
    error: 'invalid_grant',
    description: 'No account is linked to this sign-in.',
    why: "no account is linked to the provider's user",
  },
  // RFC 6750 3.1: without a token no error is named, and of each that is not valid the same is said.
  'no-token': {
    status: 401,
    error: 'invalid_request',
    description: 'A bearer token is missing.',
    headers: [['WWW-Authenticate', 'Bearer']],
    why: 'the request has no header Authorization: Bearer',
  },
  'malformed-token': {
    status: 400,
    error: 'invalid_request',
    description: 'The bearer token is not well-formed.',
    headers: [['WWW-Authenticate', 'Bearer error="invalid_request"']],
    why: 'the header Authorization says Bearer, but not one token with characters that tokens have',
  },
  'unknown-token': {
    ...invalidToken,
    why: 'the token was not issued here, or not since the last reset, or it is forgotten',
  },
  'revoked-token': { ...invalidToken, why: 'a test has revoked the token' },
  'expired-token': { ...invalidToken, why: 'the token has expired' },
  'wrong-resource-method': {
    status: 405,
    error: 'invalid_request',
    description: 'Only GET is allowed here.',
    headers: [['Allow', 'GET, HEAD']],
    why: 'the method is not GET',
  },
  'preflight-refused': {
    status: 405,
    error: 'invalid_request',
    why: 'pages of that origin may not send what the browser asks for',
  },
  'hook-failed': { status: 500, error: 'server_error', why: 'a hook of the test failed; the log says where' },
  busy: {
    status: 503,
    error: 'temporarily_unavailable',
    headers: [['Retry-After', '1']],
    why: 'too much of its kind was being done at once',
  },
  failure: { status: 500, error: 'server_error', why: 'the service failed; the log says where' },
} as const satisfies Record<Refusal, RefusalDetails>

/** All of them. */
export const refusals = Object.keys(details) as readonly Refusal[]

/** What a refusal is on the wire, and why it happened. */
export function detailsOf(refusal: Refusal): RefusalDetails {
  return details[refusal]
}

/** The error object of RFC 6749 5.2; of `unsupported_grant_type` section 7 says that it has the one member. */
export function errorBody(refusal: Refusal): Json {
  const { error, description } = detailsOf(refusal)
  return description === undefined ? { error } : { error, error_description: description }
}
