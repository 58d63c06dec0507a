import type { Account, Deployment } from '../../target/deployment.js'

/** What is known of the service behind the proxy. */
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

/** Where token requests go: path of the base URL included. */
export function tokenPathOf({ baseUrl, tokenRequest }: DeclaredService): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '') + (tokenRequest?.path ?? '/Token')
}

/** Sent to the token endpoint, or to a near miss of its path. */
export function isTokenPath(declared: DeclaredService): (path: string) => boolean {
  const plain = (path: string): string => path.toLowerCase().replace(/\/{1,9}$/, '')
  const expected = plain(tokenPathOf(declared))
  return (path) => plain(path) === expected
}
