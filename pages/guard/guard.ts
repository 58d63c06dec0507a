import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { emptyPage, pageHeaders } from './page-headers.js'

/** What the guard looks at. Names of headers are in lower case, as Node gives them. */
export interface GuardedRequest {
  readonly method: string
  /** As it was sent: the path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A complete answer, for any server to send. */
export interface GuardAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface GuardOptions {
  readonly port: number
  /** Opens the page, as a part of the first address. Default: a new one. It never becomes the cookie. */
  readonly key?: string
  /** Where the page is. The cookie is for all of the port. */
  readonly home?: string
  /** What to do without a cookie: begins the sentence "… to use this page". */
  readonly remedy: string
}

export interface Guard {
  /** The first address: a browser that opens it gets the cookie. */
  readonly address: string
  /**
   * Every request goes through here first.
   * @returns what to answer instead of the page: to the first address the cookie, to anyone else a refusal; undefined
   * where the request may pass
   */
  admit(request: GuardedRequest): GuardAnswer | undefined
}

const KEY = 'key'
/** Methods that change nothing. */
const SAFE: readonly string[] = ['GET', 'HEAD']

/**
 * Guards a page that a command serves to one person on this machine. Any page of the web can send requests to a loopback
 * port, and can have its own name resolve to it (DNS rebinding). So a request must name this host (`Host`), may come from
 * no other origin (`Origin`, which every change must have), and needs a cookie that only the first address gives.
 */
export function createGuard({ port, key = newSecret(), home = '/', remedy }: GuardOptions): Guard {
  // Cookies know no ports: with the port in its name, the pages of two commands do not take each other's away.
  const name = `token-assay-${port}`
  // Other loopback ports see the cookie, so it must not be the key, which may open more than this page.
  const session = newSecret()
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((host) => (port === 80 ? host : `${host}:${port}`))
  const refuse = (what: string): GuardAnswer => refusal(403, what, remedy)
  return {
    address: `http://${hosts[0]}${home}?${KEY}=${encodeURIComponent(key)}`,
    admit({ method, target, headers }) {
      const host = one(headers.host)?.toLowerCase()
      if (host === undefined || !hosts.includes(host))
        return refuse('This page is served only at the loopback address of this machine.')
      const origin = one(headers.origin)
      if (origin === undefined ? !SAFE.includes(method) : origin !== `http://${host}`)
        return refuse('This page accepts no requests from other pages.')
      // A browser sends it with every request; it tells another port of this host from this one.
      const site = one(headers['sec-fetch-site'])
      const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
      if (isForeign && !(SAFE.includes(method) && one(headers['sec-fetch-mode']) === 'navigate'))
        return refuse('This page accepts no requests from other pages.')
      const given = keyIn(target, home)
      if (given !== undefined && method === 'GET')
        return isSame(given, key)
          ? entry(home, `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`)
          : refuse('The key in this address is wrong.')
      return isSame(cookieOf(one(headers.cookie), name), session)
        ? undefined
        : refuse('This browser has not opened the page, or the command that served it has ended.')
    },
  }
}

/** 256 bits, for an address and for a cookie. */
function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Gives the cookie, and goes on to the page without the key. No redirection: of one that began on another site, such as
 * a link in an editor's page, a browser would keep the `SameSite=Strict` cookie to itself.
 */
function entry(home: string, cookie: string): GuardAnswer {
  return {
    status: 200,
    headers: { ...pageHeaders(), 'Set-Cookie': cookie },
    body: emptyPage('Token Assay', `<a href="${home}">Continue</a>`, home),
  }
}

function refusal(status: number, what: string, remedy: string): GuardAnswer {
  return {
    status,
    headers: pageHeaders(),
    body: emptyPage('Not opened', `${what} ${remedy} to use this page.`),
  }
}

function keyIn(target: string, home: string): string | undefined {
  const [path, query] = target.split('?', 2)
  return path === home ? (new URLSearchParams(query).get(KEY) ?? undefined) : undefined
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** A header that is there once: of two, none is believed. */
function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** Takes as long for a near guess as for any other. */
function isSame(given: string | undefined, secret: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(secret))
}
