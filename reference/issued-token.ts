/** An access token's bearer and end, or a refresh token's; the token itself is not kept. */
export interface IssuedToken {
  readonly userName: string
  readonly userId: string
  /** Milliseconds since the epoch. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  /** It was revoked: alone, or with every other one of its sign-in. */
  readonly revoked?: boolean
  /** Where there are refresh tokens: the sign-in that it comes from, which every refresh goes on. */
  readonly session?: string
  /** A refresh token that works once has been used. */
  readonly spent?: boolean
}

/** Whether a token is still good at `nowMs`. */
export function isActive({ expiresAtMs, revoked = false }: IssuedToken, nowMs: number): boolean {
  return nowMs < expiresAtMs && !revoked
}
