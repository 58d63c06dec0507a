import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { parseJsonObject } from './http/json-body.js'
import type { IssuedToken } from './issued-token.js'

/** What tokens are made of. Clients need not care: a token is opaque to them (2.1). */
export interface TokenOptions {
  /**
   * `opaque`: random, and known only to the server that issued it, until it stops. `signed`: holds its bearer and its end,
   * and is good wherever its key is known.
   */
  readonly kind: 'opaque' | 'signed'
  /**
   * Of signed tokens: 1 to 10 secrets of 32 characters or more. The first one signs, tokens of each are accepted. Default: a
   * random one, which ends with the server.
   */
  readonly keys?: readonly string[]
}

/** What a signed token says. */
export interface SignedToken {
  readonly use: 'access' | 'refresh'
  readonly issued: IssuedToken
  /** The scope of the control plane that it is good in; absent: the server's own store. */
  readonly scope?: string
}

/** A refresh token must not pass for an access token, at no reader of JWTs. */
const headers = {
  access: encoded({ alg: 'HS256', typ: 'JWT' }),
  refresh: encoded({ alg: 'HS256', typ: 'refresh+jwt' }),
} as const
const uses = ['access', 'refresh'] as const

/** A JWS in compact form (RFC 7515 7.1), signed with the first key by HMAC SHA-256. */
export function signToken({ use, issued, scope }: SignedToken, [key = '']: readonly string[]): string {
  const { userName, userId, issuedAtMs, expiresAtMs, session } = issued
  const claims = {
    sub: userId,
    userName,
    iat: issuedAtMs / 1000,
    exp: expiresAtMs / 1000,
    jti: randomUUID(),
    ...(session !== undefined && { sid: session }),
    ...(scope !== undefined && { aud: scope }),
  }
  const signed = `${headers[use]}.${encoded(claims)}`
  return `${signed}.${signature(signed, key).toString('base64url')}`
}

/** What a token says, expired or not, if one of the keys has signed it and `signToken` could have written it. */
export function readToken(token: string, keys: readonly string[]): SignedToken | undefined {
  const [header = '', payload = '', given = '', ...more] = token.split('.')
  const use = uses.find((name) => headers[name] === header)
  if (use === undefined || more.length > 0) return undefined
  const isSigned = keys.some((key) => isSame(signature(`${header}.${payload}`, key), given))
  return isSigned ? readClaims(use, Buffer.from(payload, 'base64url')) : undefined
}

/** Others may sign with the same key. */
function readClaims(use: SignedToken['use'], payload: Uint8Array): SignedToken | undefined {
  const { sub, userName, iat, exp, sid, aud } = parseJsonObject(payload) ?? {}
  if (typeof sub !== 'string' || typeof userName !== 'string') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  const times = { issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 }
  return {
    use,
    issued: { userName, userId: sub, ...times, ...(typeof sid === 'string' && { session: sid }) },
    ...(typeof aud === 'string' && { scope: aud }),
  }
}

function signature(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares in constant time, and the one spelling of a signature alone. */
function isSame(expected: Buffer, given: string): boolean {
  const text = Buffer.from(expected.toString('base64url'))
  const other = Buffer.from(given)
  return text.length === other.length && timingSafeEqual(text, other)
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
