import { basePathOf } from '../../target/base-path.js'
import type { Account, Deployment, Secret } from '../../target/deployment.js'

export interface DeclaredService
  extends Pick<
    Deployment,
    | 'baseUrl'
    | 'shownBaseUrl'
    | 'tokenLifetime'
    | 'includesUserId'
    | 'additionalGrantTypes'
    | 'clockSkew'
    | 'tokenRequest'
    | 'tls'
    | 'declared'
  > {
  /** May be none: what depends on them is not judged then. */
  readonly accounts: readonly Account[]
  /** What the target holds that is shown nowhere: a client may send it too, and the service echo it. */
  readonly secrets: readonly Secret[]
}

type TokenEndpoint = Pick<DeclaredService, 'baseUrl' | 'tokenRequest'>

/** What is shown before the path of a request: a label where the base URL comes from the environment. */
export function shownOriginOf({ baseUrl, shownBaseUrl }: DeclaredService): string {
  if (URL.canParse(shownBaseUrl)) return new URL(shownBaseUrl).origin
  const path = basePathOf({ baseUrl })
  return shownBaseUrl.endsWith(path) ? shownBaseUrl.slice(0, shownBaseUrl.length - path.length) : shownBaseUrl
}

/** Where token requests go: path of the base URL included. */
export function tokenPathOf({ baseUrl, tokenRequest }: TokenEndpoint): string {
  return basePathOf({ baseUrl }) + (tokenRequest?.path ?? '/Token')
}

/** Sent to the token endpoint, or to a near miss of its path: a service may take that for it, and grant a token there. */
export function isTokenPath(declared: TokenEndpoint): (path: string) => boolean {
  const expected = plain(tokenPathOf(declared))
  return (path) => plain(path) === expected
}

/**
 * Without case, what is encoded once or twice, path parameters (RFC 3986, section 3.3), a fragment, white space, NUL, dots
 * and plus signs at the end, empty segments and those of one or two dots.
 */
function plain(path: string): string {
  const segments: string[] = []
  for (const segment of decoded(decoded(path)).toLowerCase().split(/[/\\]/)) {
    const name = segment.split(/[;#]/)[0]?.trimEnd() ?? ''
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name.replace(AT_END, ''))
  }
  return segments.join('/')
}

/** As Windows, and careless decoders, leave out. `%A0` is read as Latin-1 or as UTF-8. */
const AT_END = /(?<![.+\s\0]|%c2|%a0)(?:[.+\s\0]|%c2%a0|%a0)+$/

function decoded(path: string): string {
  return path.replace(/%([0-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
