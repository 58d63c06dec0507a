import { createHash } from 'node:crypto'

/** An access token's bearer and end; the token itself is not kept. */
export interface IssuedToken {
  readonly userName: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** The tokens that were issued, by their digests. The oldest are forgotten beyond the limit. */
export interface TokenStore {
  remember(accessToken: string, issued: IssuedToken): void
  /** Who holds this token, unless it is unknown, forgotten or expired at `nowMs`. */
  find(accessToken: string, nowMs: number): IssuedToken | undefined
}

export function createTokenStore(limit: number): TokenStore {
  const tokens = new Map<string, IssuedToken>()
  return {
    remember(accessToken, issued) {
      tokens.set(digest(accessToken), issued)
      if (tokens.size > limit) {
        // A map iterates in the order of insertion.
        const [oldest] = tokens.keys()
        if (oldest !== undefined) tokens.delete(oldest)
      }
    },
    find(accessToken, nowMs) {
      const issued = tokens.get(digest(accessToken))
      return issued !== undefined && nowMs < issued.expiresAtMs ? issued : undefined
    },
  }
}

function digest(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64url')
}
