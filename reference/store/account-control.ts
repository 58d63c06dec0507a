import { randomUUID } from 'node:crypto'
import type { AccountView, SeedAccount, StoredAccount } from '../account.js'
import type { Behaviour } from '../behaviour.js'
import { ControlError } from '../control-error.js'
import { readControlInput } from '../input/read-control-input.js'
import type { AccountStore } from './accounts.js'
import type { Store } from './control.js'
import type { PasswordHasher } from './password-hash.js'

/** The accounts of a store as a test sees them. */
export function controlAccounts(
  accounts: () => AccountStore,
  /** Whether another account was issued this token. */
  isOfAnother: (accessToken: string, userName: string) => boolean,
  hasher: PasswordHasher,
  behaviour: Behaviour,
): Store['accounts'] {
  const refuseTaken = (
    store: AccountStore,
    { userName, email, externalLogins = [], accessToken }: Omit<StoredAccount, 'passwordHash' | 'userId'>,
  ) => {
    if (store.has({ userName })) throw new ControlError('exists', 'there is an account of this user name')
    if (email !== undefined && store.has({ email }))
      throw new ControlError('exists', 'there is an account of this e-mail address')
    if (store.has({ externalLogins }))
      throw new ControlError('exists', 'there is an account of this external login')
    if (accessToken !== undefined && (store.has({ accessToken }) || isOfAnother(accessToken, userName)))
      throw new ControlError('exists', 'another account has this access token')
  }
  return {
    list: () => [...accounts().all()].map(viewOf),
    async add(given) {
      const { password, userId = randomUUID(), ...account } = readControlInput<SeedAccount>('account', given)
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

function viewOf({ passwordHash: _, accessToken: __, ...account }: StoredAccount): AccountView {
  return account
}
