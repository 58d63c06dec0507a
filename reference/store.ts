/** A registered user. */
export interface Account {
  /** In the spelling of its registration. */
  readonly userName: string
  readonly userId: string
  readonly email?: string
  readonly passwordHash: string
}

/** The accounts of one server, in memory. Names are compared through `keyOf`. */
export interface AccountStore {
  find(userName: string): Account | undefined
  /** Adds an account; the name must be free. */
  add(account: Account): void
}

export function createAccountStore(
  seed: readonly Account[],
  keyOf: (userName: string) => string,
): AccountStore {
  const accounts = new Map(seed.map((account) => [keyOf(account.userName), account]))
  return {
    find: (userName) => accounts.get(keyOf(userName)),
    add(account) {
      accounts.set(keyOf(account.userName), account)
    },
  }
}
