import type { ExternalLogin } from './store.js'

/** An account that the server starts with. */
export interface SeedAccount {
  readonly userName: string
  readonly password: string
  /** Default: a UUID. */
  readonly userId?: string
  readonly email?: string
  /** The users of outside providers that sign in as this account. */
  readonly externalLogins?: readonly ExternalLogin[]
}
