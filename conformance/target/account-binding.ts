import { plain, type RedactableText, secret } from '../exchange/redactable-text.js'
import { isMadeUp } from './accounts/fresh-account.js'
import type { Account, Deployment } from './deployment.js'

/** An account as templates name it: `$account.userName`, `$account.password`. */
export function accountBinding(
  account: Account,
  { deployment }: { readonly deployment: Pick<Deployment, 'accounts'> },
): Readonly<Record<'userName' | 'otherCase' | 'password', RedactableText>> {
  return {
    userName: shownName(account),
    otherCase:
      account.shownName === undefined
        ? plain(inOtherCase(account.userName))
        : secret(inOtherCase(account.userName), `${nameInLabel(account)} in other case`),
    password: isMadeUp(account)
      ? plain(account.password)
      : secret(
          account.password,
          passwordLabel(account),
          account.variable ?? passwordVariable(account, deployment.accounts),
        ),
  }
}

/** The user name, and how it is shown where it came from the environment. */
export function shownName({ userName, shownName = userName }: Account): RedactableText {
  return { wire: userName, shown: shownName }
}

/** The user names that are shown as they are. */
export function namesInClear(accounts: readonly Account[]): readonly string[] {
  return accounts.flatMap(({ userName, shownName }) => (shownName === undefined ? [userName] : []))
}

/** The user name as it is shown inside a label. */
export function nameInLabel(account: Account): string {
  return shownName(account).shown.replace(/[‹›]/g, '')
}

/** Each sending of a case has another new account, but all have one password. */
export function passwordLabel(account: Account): string {
  return isMadeUp(account) ? 'password of the new account' : `password of ${nameInLabel(account)}`
}

/** In upper case, or where it is that already, in lower case. */
function inOtherCase(name: string): string {
  const upper = name.toUpperCase()
  return upper === name ? name.toLowerCase() : upper
}

/** The environment variable that a copied command takes the password from. */
function passwordVariable(account: Account, accounts: readonly Account[]): string {
  const index = accounts.findIndex(({ userName }) => userName === account.userName)
  return index <= 0 ? 'TOKEN_ASSAY_PASSWORD' : `TOKEN_ASSAY_PASSWORD_${index + 1}`
}

/** Whether the credentials hold a character that form encoding must escape. */
export function hasSpecialCharacters({ userName, password }: Account): boolean {
  return /[+%&= ]|[^\x20-\x7e]/.test(userName + password)
}

/** bcrypt reads no more of a password. */
const BCRYPT_BYTES = 72

/** The last declared account, if any, of whose password more than 72 bytes count. */
export function longPasswordAccount(accounts: readonly Account[]): Account | undefined {
  return accounts.findLast(
    ({ password }) => Buffer.byteLength([...password].slice(0, -1).join('')) >= BCRYPT_BYTES,
  )
}
