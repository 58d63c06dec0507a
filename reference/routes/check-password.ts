import type { LoginAttempt } from '../behaviour.js'
import type { Service } from '../service.js'
import type { AccountStore } from '../store/accounts.js'

/**
 * Checks a user name and password. An unknown user costs one hash computation, as a wrong password does, so that
 * time does not tell which names exist. `undefined`: too many checks are waiting already.
 */
export async function checkPassword(
  service: Pick<Service, 'behaviour' | 'hasher' | 'hashing'>,
  accounts: AccountStore,
  userName: string | undefined,
  password: string | undefined,
): Promise<LoginAttempt | undefined> {
  const { behaviour, hasher, hashing } = service
  const account = userName === undefined ? undefined : accounts.find(userName)
  if (userName === undefined || password === undefined) return { userName, password, account, matches: false }
  const hash = account?.passwordHash ?? hasher.unknownUser
  const verified = await hashing.offer(() => hasher.verify(hash, behaviour.passwordAsHashed(password)))
  return verified === undefined
    ? undefined
    : { userName, password, account, matches: verified && account !== undefined }
}
