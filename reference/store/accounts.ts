import type { ExternalLogin, StoredAccount } from '../account.js'

/** When two names, or two addresses, are the same one. */
export interface AccountKeys {
  readonly userName: (userName: string) => string
  readonly email: (email: string) => string
}

/** What an account takes from all others. */
export interface Reservation {
  readonly userName?: string
  readonly email?: string
  readonly externalLogins?: readonly ExternalLogin[]
  readonly accessToken?: string
}

/**
 * The accounts of one server, in memory. Those of the start stay; of the registered ones the oldest are forgotten
 * beyond the limit.
 */
export interface AccountStore {
  find(userName: string): StoredAccount | undefined
  findByLogin(login: ExternalLogin): StoredAccount | undefined
  /** Whether an account, or a reservation, has any of it. */
  has(claim: Reservation): boolean
  /** Keeps a name, an address and sign-ins for an account that is not stored yet, until the function is called. */
  reserve(claim: Reservation): () => void
  add(account: StoredAccount): void
  /** Whether there was one. */
  remove(userName: string): boolean
  /** Other ones are those of the start: what was registered stays, unless one of these has its name. */
  reseed(seed: readonly StoredAccount[]): void
  /** Those of the start first. */
  all(): IterableIterator<StoredAccount>
}

export function createAccountStore(
  seed: readonly StoredAccount[],
  keys: AccountKeys,
  limit: number,
): AccountStore {
  const accounts = new Map<string, StoredAccount>()
  const logins = new Map<string, StoredAccount>()
  const registered = new Set<string>()
  /** How many accounts and reservations hold it. */
  const taken = new Map<string, number>()

  const hold = (claim: Reservation, change: 1 | -1): void => {
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
  const put = (account: StoredAccount): string => {
    const key = keys.userName(account.userName)
    remove(key)
    accounts.set(key, account)
    for (const login of account.externalLogins ?? []) logins.set(loginKey(login), account)
    hold(account, 1)
    return key
  }

  let seeded = new Set(seed.map(put))
  return {
    reseed(others) {
      for (const key of seeded) if (!registered.has(key)) remove(key)
      seeded = new Set(others.map(put))
    },
    find: (userName) => accounts.get(keys.userName(userName)),
    findByLogin: (login) => logins.get(loginKey(login)),
    has: (claim) => claimKeys(claim, keys).some((key) => taken.has(key)),
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

function claimKeys(
  { userName, email, externalLogins = [], accessToken }: Reservation,
  keys: AccountKeys,
): readonly string[] {
  return [
    ...(userName === undefined ? [] : [`name ${keys.userName(userName)}`]),
    ...(email === undefined ? [] : [`mail ${keys.email(email)}`]),
    ...(accessToken === undefined ? [] : [`token ${accessToken}`]),
    ...externalLogins.map((login) => `login ${loginKey(login)}`),
  ]
}

function loginKey({ provider, subject }: ExternalLogin): string {
  return JSON.stringify([provider, subject])
}
