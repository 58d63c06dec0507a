import { hash } from 'node:crypto'

/** An access token's bearer and end; the token itself is not kept. */
export interface IssuedToken {
  readonly userName: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  /** A test has revoked it. */
  readonly revoked?: boolean
}

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
  remember(accessToken: string, issued: IssuedToken): void
  /** Who was issued this token, expired or not, unless it is unknown or forgotten. */
  look(accessToken: string): IssuedToken | undefined
  /** From now on it is as one that was never good. It still counts, so that nothing grows. */
  revoke(accessToken: string): void
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
}

export function createTokenStore(limit: number): TokenStore {
  const tokens = new Map<string, IssuedToken>()
  /** In the order of their issue, the oldest being replaced: a map's own first key is slow to find after many deletions. */
  const issues: string[] = []
  let next = 0
  return {
    remember(accessToken, issued) {
      const key = digest(accessToken)
      // The same token again, of a server that gives one for each account.
      if (!tokens.has(key)) {
        const oldest = issues[next]
        if (oldest !== undefined) tokens.delete(oldest)
        issues[next] = key
        next = (next + 1) % limit
      }
      tokens.set(key, issued)
    },
    revoke(accessToken) {
      const issued = tokens.get(digest(accessToken))
      if (issued !== undefined) tokens.set(digest(accessToken), { ...issued, revoked: true })
    },
    look: (accessToken) => tokens.get(digest(accessToken)),
  }
}

/** Whether a token is still good at `nowMs`. */
export function isActive({ expiresAtMs, revoked = false }: IssuedToken, nowMs: number): boolean {
  return nowMs < expiresAtMs && !revoked
}

function digest(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url')
}
