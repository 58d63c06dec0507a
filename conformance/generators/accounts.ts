import type { Account, Deployment } from '../deployment.js'
import { plain, secret, type Text } from '../session/text.js'

/** An account as templates name it: `$account.userName`, `$account.password`. */
export function accountBinding(
  account: Account,
  { deployment }: { readonly deployment: Pick<Deployment, 'accounts'> },
): { readonly userName: Text; readonly password: Text } {
  return {
    userName: plain(account.userName),
    password: secret(
      account.password,
      `password of ${account.userName}`,
      passwordVariable(account, deployment.accounts),
    ),
  }
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
