import fc from 'fast-check'
import type { FormSpelling } from '../exchange/form.js'
import { accountBinding, hasSpecialCharacters, shownName } from '../target/account-binding.js'
import type { Account } from '../target/deployment.js'
import type { Generator, Scope } from './generator.js'
import { isValidGrant } from './oracle.js'

/** An account, by its place among those that may be chosen, and a way to spell its form. */
export type FormCredentials = { readonly account: number } & {
  readonly [K in keyof FormSpelling]: FormSpelling[K]
}

/** 4.1-form-encoding: whatever the spelling, the service reads the same credentials. */
export const formEncoding: Generator<FormCredentials> = formGenerator(
  'form-encoding',
  "each declared account's form in every legal spelling: `+` or `%20`, either hex case, needless escapes, any order",
  ({ deployment }) => deployment.accounts,
)

/** 4.1-form-encoding, with credentials that hold `+ % & =`, a space or non-ASCII characters. */
export const formCredentials: Generator<FormCredentials> = formGenerator(
  'form-credentials',
  'the same for the accounts whose credentials hold `+ % & =`, a space or non-ASCII characters',
  ({ deployment }) => deployment.accounts.filter(hasSpecialCharacters),
)

function formGenerator(
  name: string,
  statement: string,
  choose: (scope: Scope) => readonly Account[],
): Generator<FormCredentials> {
  const accountOf = (place: number, scope: Scope): Account => {
    const accounts = choose(scope)
    return accounts[place % accounts.length] ?? scope.account
  }
  return {
    name,
    statement,
    examples: (scope) =>
      choose(scope).flatMap((_, account) => SPELLINGS.map((spelling) => ({ account, ...spelling }))),
    arbitrary: (scope) =>
      fc.record({
        account: fc.nat(Math.max(choose(scope).length - 1, 0)),
        plusForSpace: fc.boolean(),
        lowerCaseHex: fc.boolean(),
        escapeEvery: fc.nat(4),
        salt: fc.nat(6),
        order: fc.nat(5),
      }),
    bind: ({ account, ...spelling }, scope) => ({
      ...accountBinding(accountOf(account, scope), scope),
      spelling,
    }),
    show: ({ account, ...spelling }, scope) => ({
      account: shownName(accountOf(account, scope)).shown,
      ...spelling,
    }),
    inScope: isValidGrant,
  }
}

const usual = { plusForSpace: true, lowerCaseHex: false, escapeEvery: 0, salt: 0, order: 0 }

const SPELLINGS: readonly FormSpelling[] = [
  { ...usual, escapeEvery: 1, plusForSpace: false },
  { ...usual, order: 5 },
  { ...usual, lowerCaseHex: true },
  usual,
  { ...usual, plusForSpace: false },
  { ...usual, escapeEvery: 1, lowerCaseHex: true },
]
