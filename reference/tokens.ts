import { hash } from 'node:crypto'

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
    find(accessToken, nowMs) {
      const issued = tokens.get(digest(accessToken))
      return issued !== undefined && nowMs < issued.expiresAtMs ? issued : undefined
    },
  }
}

function digest(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url')
}
