import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a guard looks at. Names of headers are in lower case, as Node gives them. */
export interface GuardedRequest {
  readonly method: string
  /** As it was sent: the path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Methods that change nothing. */
const SAFE: readonly string[] = ['GET', 'HEAD']

/** Whether the request names this host: a foreign name may resolve to it (DNS rebinding). */
export function namesThisHost({ headers }: Pick<GuardedRequest, 'headers'>, port: number): boolean {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((host) => (port === 80 ? host : `${host}:${port}`))
  return hosts.includes(one(headers.host)?.toLowerCase() ?? '')
}

/**
 * Whether no other page sent it, as far as a browser says. Any page of the web can send requests to a loopback port, so a
 * change must name its origin. Of what is read, only a person's own way to a page may begin elsewhere.
 */
export function isFromOwnPage({ method, headers }: Omit<GuardedRequest, 'target'>): boolean {
  const origin = one(headers.origin)
  if (origin === undefined ? !SAFE.includes(method) : origin !== `http://${one(headers.host)?.toLowerCase()}`)
    return false
  // A browser sends it with every request; it tells another port of this host from this one.
  const site = one(headers['sec-fetch-site'])
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  return !isForeign || (SAFE.includes(method) && one(headers['sec-fetch-mode']) === 'navigate')
}

/** The header by which the page's script gives its key. */
export const KEY_HEADER = 'token-assay-key'

/** A header that is there once: of two, none is believed. */
export function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** 256 bits, as 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Takes as long for a near guess as for any other. */
export function isSame(given: string | undefined, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(secret))
}
