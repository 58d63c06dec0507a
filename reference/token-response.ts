import { randomBytes } from 'node:crypto'
import type { Json } from '../spec/model/json.js'

/** Who a token is for. */
export interface Bearer {
  /** In the spelling of the registration. */
  readonly userName: string
  readonly userId: string
}

/** What the members of a token response are made of. */
export interface Grant {
  readonly bearer: Bearer
  readonly accessToken: string
  readonly tokenType: string
  readonly expiresIn: Json
  /** `.issued` and `.expires` as they are shown. */
  readonly issued: string
  readonly expires: string
  readonly includesUserId: boolean
  /** Where there are refresh tokens, and this answer has one. */
  readonly refreshToken?: string
}

export type Member = readonly [name: string, value: Json]

/** 32 random bytes, base64url: opaque, and nothing to guess. */
export function newAccessToken(): string {
  return randomBytes(32).toString('base64url')
}

/** An IMF-fixdate (RFC 9110 5.6.7), as 2.1 shows `.issued` and `.expires`. */
export function imfFixdate(ms: number): string {
  return new Date(wholeSeconds(ms)).toUTCString()
}

/** Dates have whole seconds: cutting `.issued` first keeps `.expires` later by the lifetime exactly (2.1-R2). */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

/** The object of 2.1, member by member; `userId` comes after `.expires` (2.1-R3). */
export function tokenMembers(grant: Grant): readonly Member[] {
  const members: readonly Member[] = [
    ['access_token', grant.accessToken],
    ['token_type', grant.tokenType],
    ['expires_in', grant.expiresIn],
    // Where Katana has it, and RFC 6749 5.1 shows it.
    ...(grant.refreshToken === undefined ? [] : [['refresh_token', grant.refreshToken] as const]),
    ['userName', grant.bearer.userName],
    ['.issued', grant.issued],
    ['.expires', grant.expires],
  ]
  return grant.includesUserId ? [...members, ['userId', grant.bearer.userId]] : members
}

/** Compact JSON, in the order of the members. */
export function renderMembers(members: readonly Member[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
}
