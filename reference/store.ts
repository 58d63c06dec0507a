/** A user at an outside identity provider. */
export interface ExternalLogin {
  /** The provider's configured name. */
  readonly provider: string
  /** The user's identifier there. */
  readonly subject: string
}

/** A registered user. */
export interface Account {
  /** In the spelling of its registration. */
  readonly userName: string
  readonly userId: string
  readonly email?: string
  readonly passwordHash: string
  readonly externalLogins?: readonly ExternalLogin[]
}

/** When two names, or two addresses, are the same one. */
export interface AccountKeys {
  readonly userName: (userName: string) => string
  readonly email: (email: string) => string
}

/** What an account takes from all others. */
export interface Claim {
  readonly userName?: string
  readonly email?: string
  readonly externalLogins?: readonly ExternalLogin[]
}

/**
 * The accounts of one server, in memory. Those of the start stay; of the registered ones the oldest are forgotten
 * beyond the limit.
 */
export interface AccountStore {
  find(userName: string): Account | undefined
  findByLogin(login: ExternalLogin): Account | undefined
  hasUserName(userName: string): boolean
  hasEmail(email: string): boolean
  hasLogin(login: ExternalLogin): boolean
  /** Keeps a name, an address and sign-ins for an account that is not stored yet, until the function is called. */
  reserve(claim: Claim): () => void
  add(account: Account): void
  /** Whether there was one. */
  remove(userName: string): boolean
  /** Those of the start first. */
  all(): IterableIterator<Account>
}

export function createAccountStore(seed: readonly Account[], keys: AccountKeys, limit: number): AccountStore {
  const accounts = new Map<string, Account>()
  const logins = new Map<string, Account>()
  const registered = new Set<string>()
  /** How many accounts and reservations hold it. */
  const taken = new Map<string, number>()

  const hold = (claim: Claim, change: 1 | -1): void => {
    for (const key of claimKeys(claim, keys)) {
      const holders = (taken.get(key) ?? 0) + change
      if (holders > 0) taken.set(key, holders)
      else taken.delete(key)
    }
  }
  const remove = (key: string): boolean => {
    const account = accounts.get(key)
    if (account === undefined) return false
    accounts.delete(key)
    registered.delete(key)
    for (const login of account.externalLogins ?? []) logins.delete(loginKey(login))
    hold(account, -1)
    return true
  }
  const put = (account: Account): string => {
    const key = keys.userName(account.userName)
    remove(key)
    accounts.set(key, account)
    for (const login of account.externalLogins ?? []) logins.set(loginKey(login), account)
    hold(account, 1)
    return key
  }

  for (const account of seed) put(account)
  return {
    find: (userName) => accounts.get(keys.userName(userName)),
    findByLogin: (login) => logins.get(loginKey(login)),
    hasUserName: (userName) => claimKeys({ userName }, keys).some((key) => taken.has(key)),
    hasLogin: (login) => claimKeys({ externalLogins: [login] }, keys).some((key) => taken.has(key)),
    hasEmail: (email) => claimKeys({ email }, keys).some((key) => taken.has(key)),
    reserve(claim) {
      hold(claim, 1)
      return () => hold(claim, -1)
    },
    add(account) {
      registered.add(put(account))
      const [oldest] = registered
      if (registered.size > limit && oldest !== undefined) remove(oldest)
    },
    remove: (userName) => remove(keys.userName(userName)),
    all: () => accounts.values(),
  }
}

function claimKeys({ userName, email, externalLogins = [] }: Claim, keys: AccountKeys): readonly string[] {
  return [
    ...(userName === undefined ? [] : [`name ${keys.userName(userName)}`]),
    ...(email === undefined ? [] : [`mail ${keys.email(email)}`]),
    ...externalLogins.map((login) => `login ${loginKey(login)}`),
  ]
}

function loginKey({ provider, subject }: ExternalLogin): string {
  return JSON.stringify([provider, subject])
}
