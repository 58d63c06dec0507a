import type { IssuedToken } from './issued-token.js'

/** How tokens are refreshed (RFC 6749 6). The specification shows no refresh: without this there is none. */
export interface RefreshTokenOptions {
  /** Seconds; each refresh token has as many of its own. Default 2,592,000: 30 days. */
  readonly lifetime?: number
  /** Whether a refresh is answered with a new refresh token; else the client keeps the one that it has. Default `true`. */
  readonly rotation?: boolean
  /** Whether a refresh token works once. Default `true`. */
  readonly oneTime?: boolean
  /** Whether a second use of one that works once revokes every token of its sign-in. Default: what `oneTime` is. */
  readonly reuseDetection?: boolean
}

/** With every default; `undefined`: no refresh tokens. */
export function completeRefreshTokens(
  given: boolean | RefreshTokenOptions,
): Required<RefreshTokenOptions> | undefined {
  if (given === false) return undefined
  const { lifetime = 2_592_000, rotation = true, oneTime = true, ...more } = given === true ? {} : given
  return { lifetime, rotation, oneTime, reuseDetection: more.reuseDetection ?? oneTime }
}

/** Why a refresh token is refused, if it is. */
export function refuseRefresh(
  { expiresAtMs, revoked, spent }: IssuedToken,
  nowMs: number,
): 'revoked-refresh-token' | 'spent-refresh-token' | 'expired-refresh-token' | undefined {
  if (revoked === true) return 'revoked-refresh-token'
  if (nowMs >= expiresAtMs) return 'expired-refresh-token'
  return spent === true ? 'spent-refresh-token' : undefined
}
