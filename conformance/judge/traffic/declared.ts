import type { Account, Deployment } from '../../target/deployment.js'

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
}

type TokenEndpoint = Pick<DeclaredService, 'baseUrl' | 'tokenRequest'>

/** Where token requests go: path of the base URL included. */
export function tokenPathOf({ baseUrl, tokenRequest }: TokenEndpoint): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '') + (tokenRequest?.path ?? '/Token')
}

/** Sent to the token endpoint, or to a near miss of its path: a service may take that for it, and grant a token there. */
export function isTokenPath(declared: TokenEndpoint): (path: string) => boolean {
  const expected = plain(tokenPathOf(declared))
  return (path) => plain(path) === expected
}

/** Without case, encoding of plain characters, empty segments and those of one or two dots. */
function plain(path: string): string {
  const decoded = path.replace(/%([2-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const segments: string[] = []
  for (const segment of decoded.toLowerCase().split('/'))
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  return segments.join('/')
}
