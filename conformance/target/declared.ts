import type { Json } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import type { Secret } from './environment.js'
import { isMap } from './merge-patch.js'

/** Headers whose values are credentials, wherever they stand. */
const credentialHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']

/** The settings of a deployment as they may be shown: passwords and the values of credential headers by their labels. */
export function showDeclared(shown: Json): Json {
  if (!isMap(shown)) return shown
  const accounts = shown.accounts
  const masked = isMap(shown) ? maskHeaders(shown) : shown
  if (!Array.isArray(accounts)) return masked
  const hidden = accounts.map((account: Json) =>
    isMap(account) ? { ...account, password: `‹${passwordLabel(String(account.userName))}›` } : account,
  )
  return { ...masked, accounts: hidden }
}

/** What a target declares that must never be shown. */
export function declaredSecrets(
  accounts: readonly Account[],
  shownNames: readonly string[],
  headers: Readonly<Record<string, string>>,
): readonly Secret[] {
  return [
    ...accounts.map(({ userName, password }, index) => ({
      value: password,
      label: passwordLabel(shownNames[index] ?? userName),
    })),
    ...Object.entries(headers).flatMap(([name, value]) =>
      credentialHeaders.includes(name.toLowerCase()) && value !== ''
        ? [{ value, label: `value of ${name}` }]
        : [],
    ),
  ]
}

function passwordLabel(userName: string): string {
  return `password of ${userName}`
}

function maskHeaders(value: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'headers' && isMap(item))
        return [
          key,
          Object.fromEntries(
            Object.entries(item).map(([name, text]) => [
              name,
              credentialHeaders.includes(name.toLowerCase()) ? `‹value of ${name}›` : text,
            ]),
          ),
        ]
      return [key, isMap(item) ? maskHeaders(item) : item]
    }),
  )
}
