/** A user at an outside identity provider. */
export interface ExternalLogin {
  readonly provider: string
  /** The user's identifier there. */
  readonly subject: string
}

/** A registered user. */
export interface StoredAccount {
  /** In the spelling of its registration. */
  readonly userName: string
  readonly userId: string
  readonly email?: string
  readonly passwordHash: string
  readonly externalLogins?: readonly ExternalLogin[]
  /** What every sign-in is answered with; absent: a random one each time. */
  readonly accessToken?: string
}

/** An account that the server starts with. */
export interface SeedAccount {
  readonly userName: string
  readonly password: string
  /** Default: a UUID. */
  readonly userId?: string
  readonly email?: string
  /** The users of outside providers that sign in as this account. */
  readonly externalLogins?: readonly ExternalLogin[]
  /** The token of each of its sign-ins, for snapshot tests. Default: a random one each time. */
  readonly accessToken?: string
}

/** An account, without its password. */
export interface AccountView {
  readonly userName: string
  readonly userId: string
  readonly email?: string
  readonly externalLogins?: readonly ExternalLogin[]
}
