import { GRANTS, type TokenGrant } from '../../../../spec/model/later-life.js'
import type { Deployment } from '../../../target/deployment.js'

/** The grants that a deployment declares, in the order of the table. */
export function grantsOf({ rehearsal, externalLogin }: Deployment): readonly TokenGrant[] {
  const isDeclared: Readonly<Record<TokenGrant, boolean>> = {
    password: true,
    refresh: rehearsal?.refresh !== undefined,
    external: externalLogin !== undefined,
  }
  return GRANTS.filter((grant) => isDeclared[grant])
}

/** The key of a target file that declares a grant. */
export const GRANT_KEYS: Readonly<Record<TokenGrant, string>> = {
  password: 'accounts',
  refresh: 'refresh',
  external: 'externalLogin',
}
