import type { Json } from '../spec/model/json.js'
import type { HeaderList } from '../spec/model/report.js'
import type { StoredAccount } from './account.js'
import type { Answer, Delivery } from './http/answer.js'
import { type FormBody, formValues, parseForm } from './http/form.js'
import { isMediaType } from './http/media-type.js'
import type { ReceivedRequest } from './http/received-request.js'
import { type IssuedToken, isActive } from './issued-token.js'
import { refuseRefresh } from './refresh-tokens.js'
import { detailsOf, errorBody, type Refusal } from './refusal.js'
import { type RegistrationBehaviour, specifiedRegistration } from './registration-behaviour.js'
import { readToken, type SignedToken, signToken } from './signed-token.js'
import {
  type Bearer,
  type Grant,
  imfFixdate,
  type Member,
  newAccessToken,
  renderMembers,
  tokenMembers,
  wholeSeconds,
} from './token-response.js'

/** How a token is asked for. */
export type GrantKind = 'password' | 'external-login' | 'refresh'

/** Somebody presents a user name and a password. */
export interface LoginAttempt {
  /** `undefined`: the parameter is missing. */
  readonly userName: string | undefined
  readonly password: string | undefined
  /** Whose name it is. */
  readonly account: StoredAccount | undefined
  /** The account exists and this is its password. */
  readonly matches: boolean
}

/**
 * Every decision that the specification makes, or leaves to us, as one record of functions without side effects.
 * A server takes the specified record and may override members one at a time; a member that is overridden changes
 * one decision and no other.
 */
export interface Behaviour extends RegistrationBehaviour {
  // The request (4.1)
  /** `path` is raw: case, trailing slash and escapes as they came. */
  readonly isTokenPath: (path: string, basePath: string) => boolean
  readonly acceptsMethod: (method: string) => boolean
  readonly acceptsMediaType: (contentType: string | undefined) => boolean
  readonly formBytes: (request: ReceivedRequest) => Uint8Array
  readonly parseForm: (bytes: Uint8Array) => FormBody
  /** Every value given under `grant_type`, `username` or `password`. */
  readonly formValues: (form: FormBody, name: string) => readonly string[]
  readonly allowsNoGrantType: () => boolean
  readonly supportsGrantType: (grantType: string) => boolean
  /** Refuses before anything else is looked at. */
  readonly admit: (request: ReceivedRequest) => Refusal | undefined

  // The credentials (4.1, 5)
  /** User names with the same key are one. */
  readonly userNameKey: (userName: string) => string
  /** What of a password is hashed, when it is stored and when it is checked. */
  readonly passwordAsHashed: (password: string) => string
  /** Who is signed in, if anybody. */
  readonly signIn: (attempt: LoginAttempt) => Bearer | undefined
  /** Who is signed in by an outside provider (2.1-R4): the account that is linked to its user. */
  readonly signInExternally: (linked: StoredAccount | undefined) => Bearer | undefined

  // The token (2.1)
  readonly newAccessToken: (bearer: Bearer) => string
  readonly tokenType: (bearer: Bearer) => string
  /** Seconds. */
  readonly lifetime: (configuredSeconds: number) => number
  readonly expiresIn: (lifetimeSeconds: number) => Json
  /** Milliseconds since the epoch. */
  readonly issuedAt: (nowMs: number) => number
  readonly expiresAt: (issuedAtMs: number, lifetimeSeconds: number) => number
  readonly formatDate: (ms: number) => string
  readonly includesUserId: (configured: boolean, kind: GrantKind) => boolean
  readonly tokenMembers: (grant: Grant, kind: GrantKind) => readonly Member[]
  readonly renderMembers: (members: readonly Member[]) => string
  readonly successStatus: (kind: GrantKind) => number
  readonly successMediaType: (kind: GrantKind) => string

  // A token's later life (5-R4: not shown; all of it is off unless configured)
  /** Whether a token is good at a resource. */
  readonly acceptsToken: (issued: IssuedToken, nowMs: number) => boolean
  /** Why a refresh token is not good, if it is not. */
  readonly refuseRefresh: (issued: IssuedToken, nowMs: number) => Refusal | undefined
  /** By the first of the keys. */
  readonly signToken: (token: SignedToken, keys: readonly string[]) => string
  /** What a token says, expired or not, where one of the keys has signed it. */
  readonly readToken: (token: string, keys: readonly string[], nowMs: number) => SignedToken | undefined

  // Refusals (7)
  readonly errorStatus: (refusal: Refusal) => number
  readonly errorBody: (refusal: Refusal) => Json
  readonly renderError: (body: Json, refusal: Refusal) => string
  readonly errorMediaType: (refusal: Refusal) => string

  // Every answer
  /** Sent with every answer in addition to `Content-Type`. */
  readonly commonHeaders: () => HeaderList
  /** The `Date` header; `undefined`: none. */
  readonly dateHeader: (nowMs: number) => string | undefined
  /** The last word on an answer, its bytes and the connection. */
  readonly deliver: (answer: Answer, request: ReceivedRequest) => Delivery
}

const jsonMediaType = 'application/json;charset=UTF-8'

/** The behaviour that the specification asks for. */
export const specifiedBehaviour: Behaviour = {
  ...specifiedRegistration,

  isTokenPath: (path, basePath) => path === `${basePath}/Token`,
  acceptsMethod: (method) => method === 'POST',
  acceptsMediaType: (contentType) => isMediaType(contentType, 'application/x-www-form-urlencoded'),
  // Never the query: it ends up in logs.
  formBytes: (request) => request.body,
  parseForm,
  formValues,
  allowsNoGrantType: () => false,
  supportsGrantType: (grantType) => grantType === 'password',
  admit: () => undefined,

  userNameKey: (userName) => userName,
  passwordAsHashed: (password) => password,
  signIn: (attempt) => (attempt.matches ? attempt.account : undefined),
  signInExternally: (linked) => linked,

  newAccessToken,
  tokenType: () => 'bearer',
  lifetime: (configuredSeconds) => configuredSeconds,
  // 2.1-R2: one second under the lifetime, as the specification's example shows it.
  expiresIn: (lifetimeSeconds) => lifetimeSeconds - 1,
  issuedAt: wholeSeconds,
  expiresAt: (issuedAtMs, lifetimeSeconds) => issuedAtMs + lifetimeSeconds * 1000,
  formatDate: imfFixdate,
  includesUserId: (configured) => configured,
  tokenMembers,
  renderMembers,
  successStatus: () => 200,
  successMediaType: () => jsonMediaType,

  acceptsToken: isActive,
  refuseRefresh,
  signToken,
  readToken,

  errorStatus: (refusal) => detailsOf(refusal).status,
  errorBody,
  renderError: (body) => JSON.stringify(body),
  errorMediaType: () => jsonMediaType,

  // RFC 6749 5.1 asks for both of an answer that carries a token.
  commonHeaders: () => [
    ['Cache-Control', 'no-store'],
    ['Pragma', 'no-cache'],
  ],
  dateHeader: imfFixdate,
  deliver: (answer) => ({ kind: 'answer', answer }),
}
