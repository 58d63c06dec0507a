import { hash } from 'node:crypto'
import type { Behaviour } from '../behaviour.js'
import type { Clock } from '../clock.js'
import type { IssuedToken } from '../issued-token.js'
import type { SignedToken } from '../signed-token.js'
import { createBoundedMap } from './bounded-map.js'

/** What introspection answers (RFC 7662 2.2). Of a token that is not active, nothing else. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly username: string
      /** The account's `userId`. */
      readonly sub: string
      readonly token_type: string
      /** Seconds since the epoch. */
      readonly iat: number
      readonly exp: number
    }

/** The tokens that were issued, by their digests. The oldest are forgotten beyond the limit. */
export interface TokenStore {
  remember(token: string, issued: IssuedToken): void
  /** Who was issued this token, expired or not, unless it is unknown or forgotten. */
  look(token: string): IssuedToken | undefined
  /** From now on it is as one that was never good. It still counts, so that nothing grows. */
  revoke(token: string): void
}

/** The access tokens and refresh tokens of a store. */
export interface TokenState {
  readonly tokens: TokenStore
  readonly refreshTokens: TokenStore
  /** Revokes every token that comes from a sign-in. */
  endSession(session: string): void
  /** A new signed token; `undefined` where tokens are opaque. */
  sign(use: SignedToken['use'], issued: IssuedToken): string | undefined
}

/** A token that a test asks for: `POST /Token` without a password, at another time or with another lifetime. */
export interface TokenRequest {
  /** Of an account that there is. */
  readonly userName: string
  /** Seconds. Default: the setting `tokenLifetime`. */
  readonly lifetime?: number
  /** Milliseconds since the epoch; whole seconds count. Default: now, by the clock. */
  readonly issuedAt?: number
  /** The token itself: 1 to 1024 of the characters that RFC 6750 lets one have. Default: a random one. */
  readonly value?: string
}

/** What the service answers a sign-in with (2.1). */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly userName: string
  readonly '.issued': string
  readonly '.expires': string
  /** Where the setting `includesUserId` is on. */
  readonly userId?: string
  /** Where there are refresh tokens. */
  readonly refresh_token?: string
}

interface TokenStateOptions extends Pick<Behaviour, 'signToken' | 'readToken'> {
  readonly limit: number
  readonly clock: Clock
  /** Of signed tokens, the first one signs; `undefined`: tokens are opaque. */
  readonly keys: readonly string[] | undefined
  readonly scope: string | undefined
}

export function createTokenState(options: TokenStateOptions): TokenState {
  const { limit, clock, keys, scope, signToken, readToken } = options
  const ended = createBoundedMap<true>(limit)
  const storeOf = (use: SignedToken['use']): TokenStore => {
    const known = createBoundedMap<IssuedToken>(limit)
    const read = (token: string): IssuedToken | undefined => {
      const found = keys === undefined ? undefined : readToken(token, keys, clock.now())
      return found?.use === use && found.scope === scope ? found.issued : undefined
    }
    const look = (token: string): IssuedToken | undefined => {
      const issued = known.get(digest(token)) ?? read(token)
      const hasEnded = issued?.session !== undefined && ended.get(issued.session) === true
      return issued !== undefined && hasEnded ? { ...issued, revoked: true } : issued
    }
    return {
      look,
      remember: (token, issued) => known.set(digest(token), issued),
      revoke(token) {
        const issued = look(token)
        if (issued !== undefined) known.set(digest(token), { ...issued, revoked: true })
      },
    }
  }
  return {
    tokens: storeOf('access'),
    refreshTokens: storeOf('refresh'),
    endSession: (session) => ended.set(session, true),
    sign: (use, issued) =>
      keys === undefined
        ? undefined
        : signToken({ use, issued, ...(scope !== undefined && { scope }) }, keys),
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64url')
}
