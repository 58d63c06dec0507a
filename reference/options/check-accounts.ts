import { ControlError } from '../control/control-error.js'
import { readAccount } from '../control/read-account.js'
import type { SeedAccount } from '../seed-account.js'

/** @throws TypeError naming the account that is not usable; never quoting a password */
export function checkAccounts(accounts: readonly SeedAccount[]): readonly SeedAccount[] {
  if (!Array.isArray(accounts)) throw new TypeError('accounts must be a list')
  const seen = new Set<string>()
  const refuseTwice = (index: number, what: string, key: string): void => {
    if (seen.has(key)) throw new TypeError(`accounts[${index}] repeats the ${what} of another`)
    seen.add(key)
  }
  return accounts.map((given: unknown, index) => {
    const account = read(given, index)
    refuseTwice(index, 'userName', JSON.stringify(account.userName))
    for (const { provider, subject } of account.externalLogins ?? [])
      refuseTwice(index, 'external login', JSON.stringify([provider, subject]))
    return account
  })
}

function read(given: unknown, index: number): SeedAccount {
  try {
    return readAccount(given)
  } catch (error) {
    throw error instanceof ControlError
      ? new TypeError(`accounts[${index}]: ${error.message}`, { cause: error })
      : error
  }
}
