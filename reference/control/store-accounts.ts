import { randomUUID } from 'node:crypto'
import type { Behaviour } from '../behaviour.js'
import type { PasswordHasher } from '../password-hash.js'
import type { Account, AccountStore } from '../store.js'
import type { AccountView } from './control.js'
import { ControlError } from './control-error.js'
import { readAccount } from './read-account.js'
import type { Store } from './server-control.js'

/** The accounts of a store as a test sees them. */
export function controlAccounts(
  accounts: () => AccountStore,
  hasher: PasswordHasher,
  behaviour: Behaviour,
): Store['accounts'] {
  const refuseTaken = (
    store: AccountStore,
    { userName, email, externalLogins = [] }: Omit<Account, 'passwordHash' | 'userId'>,
  ) => {
    if (store.hasUserName(userName)) throw new ControlError('exists', 'there is an account of this user name')
    if (email !== undefined && store.hasEmail(email))
      throw new ControlError('exists', 'there is an account of this e-mail address')
    if (externalLogins.some((login) => store.hasLogin(login)))
      throw new ControlError('exists', 'there is an account of this external login')
  }
  return {
    list: () => [...accounts().all()].map(viewOf),
    async add(given) {
      const { password, userId = randomUUID(), ...account } = readAccount(given)
      const store = accounts()
      refuseTaken(store, account)
      const release = store.reserve(account)
      try {
        const passwordHash = await hasher.hash(behaviour.passwordAsHashed(password))
        const stored = { ...account, userId, passwordHash }
        store.add(stored)
        return viewOf(stored)
      } finally {
        release()
      }
    },
    remove: (userName) => accounts().remove(userName),
  }
}

function viewOf({ passwordHash: _, ...account }: Account): AccountView {
  return account
}
