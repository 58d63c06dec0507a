import fc from 'fast-check'
import { secret, type Text } from '../session/text.js'
import type { Binding, Generator, Scope } from './generator.js'
import { hasUnknownUser } from './oracle.js'

/** A user name that no account has, tried with the account's own password. */
export type UnknownUser = {
  readonly kind: 'fresh' | 'longer' | 'shorter' | 'changed' | 'prefixed' | 'pattern'
  readonly at: number
}

/** 4.1-credentials: an unknown user yields no token, whatever the password. */
export const unknownUser: Generator<UnknownUser> = {
  name: 'unknown-user',
  statement:
    "user names that are no account's: fresh ones, and near misses of the account's, with its password",
  // What tells most comes first: often only two failed logins are left for it.
  examples: () => [
    { kind: 'longer', at: 0 },
    { kind: 'pattern', at: 0 },
    { kind: 'shorter', at: 0 },
    { kind: 'fresh', at: 0 },
    { kind: 'prefixed', at: 0 },
    { kind: 'changed', at: 0 },
  ],
  arbitrary: ({ account }) =>
    fc.record({
      kind: fc.constantFrom('fresh', 'longer', 'shorter', 'changed', 'prefixed', 'pattern'),
      at: fc.nat(Math.max([...account.userName].length - 1, 0)),
    }),
  bind: (value, scope): Binding => ({ userName: nameOf(value, scope), password: passwordOf(scope) }),
  show: (value, scope) => nameOf(value, scope).shown,
  promises: hasUnknownUser,
}

function nameOf({ kind, at }: UnknownUser, { account, runNonce }: Scope): Text {
  const name = account.userName
  const chars = [...name]
  const both = (make: (run: string) => string): Text => ({ wire: make(runNonce), shown: make('‹run›') })
  switch (kind) {
    case 'fresh':
      return both((run) => `nobody${run}${at}`)
    case 'longer':
      return both((run) => `${name}${run}`)
    case 'shorter':
      return both(() => chars.slice(0, -1 - at).join(''))
    case 'prefixed':
      return both((run) => `${run}${name}`)
    case 'changed':
      return both(() =>
        [...chars.slice(0, at), chars[at] === 'x' ? 'q' : 'x', ...chars.slice(at + 1)].join(''),
      )
    case 'pattern':
      return both(() => `${chars.slice(0, at).join('')}%`)
  }
}

function passwordOf({ account }: Scope): Text {
  return secret(account.password, `password of ${account.userName}`)
}
