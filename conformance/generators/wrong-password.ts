import fc from 'fast-check'
import { secret, type Text } from '../session/text.js'
import type { Generator, Scope } from './generator.js'
import { flipCase } from './mutations.js'
import { hasWrongPassword } from './oracle.js'

/** What is done to the right password. Plain data, so that it can be shown where the password itself cannot. */
export type WrongPassword = {
  readonly kind:
    | 'changed'
    | 'dropped'
    | 'added'
    | 'flipped'
    | 'cut'
    | 'appended'
    | 'half'
    | 'other'
    | 'unrelated'
  /** Counted from the first character, 0; for `cut` the length that remains. */
  readonly at: number
}

/** 4.1-credentials: a password that is wrong by more than a verifier may forgive yields no token. */
export const wrongPassword: Generator<WrongPassword> = {
  name: 'wrong-password',
  statement:
    "the account's password with one character changed, added, dropped or of other case, cut, or another's",
  examples: ({ account }) => {
    const chars = [...account.password]
    const { length } = chars
    const middle = Math.floor(length / 2)
    const letter = chars.findLastIndex((char, at) => at > 0 && flipCase(char) !== char)
    const symbol = chars.findIndex((char, at) => at > 0 && /[^\p{L}\p{N}\s]/u.test(char))
    // What tells most comes first: seldom are more than eight failed logins allowed.
    return [
      { kind: 'changed', at: length - 1 },
      { kind: 'flipped', at: Math.max(letter, 0) },
      { kind: 'cut', at: 8 },
      { kind: 'other', at: 0 },
      { kind: 'appended', at: 0 },
      { kind: 'dropped', at: symbol < 0 ? middle : symbol },
      { kind: 'added', at: 0 },
      { kind: 'changed', at: 0 },
      { kind: 'cut', at: length - 1 },
      { kind: 'half', at: 0 },
      { kind: 'added', at: middle },
      { kind: 'unrelated', at: 0 },
      { kind: 'changed', at: middle },
    ]
  },
  arbitrary: ({ account }) => {
    const last = [...account.password].length - 1
    return fc.record({
      kind: fc.constantFrom(
        'unrelated',
        'changed',
        'dropped',
        'added',
        'flipped',
        'cut',
        'appended',
        'half',
        'other',
      ),
      at: fc.nat(Math.max(last, 0)),
    })
  },
  bind: (value, scope) => apply(value, scope),
  show: (value, scope) => apply(value, scope).shown,
  promises: hasWrongPassword,
}

function apply({ kind, at }: WrongPassword, { account, deployment }: Scope): Text {
  const chars = [...account.password]
  const edit = (remove: number, insert: string): string =>
    [...chars.slice(0, at), insert, ...chars.slice(at + remove)].join('')
  const named = (what: string): string => `password of ${account.userName}: ${what}`
  const place = at === chars.length - 1 ? 'last character' : `character ${at + 1}`
  switch (kind) {
    case 'changed':
      return secret(edit(1, chars[at] === 'x' ? 'y' : 'x'), named(`${place} changed`))
    case 'dropped':
      return secret(edit(1, ''), named(`${place} dropped`))
    case 'added':
      return secret(edit(0, 'x'), named(`a character added before ${place}`))
    case 'flipped':
      return secret(edit(1, flipCase(chars[at] ?? '')), named(`case of ${place} flipped`))
    case 'cut':
      return secret(
        chars.slice(0, at).join(''),
        named(at === chars.length - 1 ? 'last character dropped' : `cut to ${at} characters`),
      )
    case 'appended':
      return secret(`${account.password}x`, named('a character appended'))
    case 'half':
      return secret(chars.slice(0, Math.ceil(chars.length / 2)).join(''), named('cut to half'))
    case 'other': {
      const other = deployment.accounts.find(({ password }) => password !== account.password)
      return secret(
        other?.password ?? '',
        other === undefined ? 'no other password' : `password of ${other.userName}`,
      )
    }
    case 'unrelated':
      return secret(UNRELATED, `a password that is no account's`)
  }
}

/** Long, of every class, and no one's. */
const UNRELATED = 'Unrelated-2c9f-Password!'
