import fc from 'fast-check'
import { plain, type RedactableText, secret } from '../exchange/redactable-text.js'
import { nameInLabel, passwordLabel } from '../target/account-binding.js'
import { isMadeUp } from '../target/accounts/fresh-account.js'
import type { Account } from '../target/deployment.js'
import { flipCase, neighbour, OBJECT_MEMBERS, splice } from './characters.js'
import type { Generator, Scope } from './generator.js'
import { hasUnknownUser, hasWrongPassword } from './oracle.js'

const PASSWORD_MISTAKES = [
  'unrelated',
  'changed',
  'dropped',
  'added',
  'flipped',
  'swapped',
  'capitals',
  'lowered',
  'transposed',
  'numbered',
  'cut',
  'appended',
  'half',
  'reversed',
  'other',
  'user-name',
  'query',
] as const

/**
 * Passwords that mean something to a store that is asked with them unescaped, or trimmed after the look whether they are empty,
 * or that end at their first NUL.
 */
const PASSWORD_QUERIES = ["' OR '1'='1", '%', ' ', '*', '" OR ""="', '\0'] as const

/** What is done to the right password. Plain data, so that it can be shown where the password itself cannot. */
export type WrongPassword = {
  readonly kind: (typeof PASSWORD_MISTAKES)[number]
  /** Counted from the first character, 0; for `cut` the length that remains, for `query` which one. */
  readonly at: number
}

/** Long, of every class, and no account's. */
const UNRELATED = 'Unrelated-2c9f-Password!'

/** 4.1-credentials: a password that is wrong by more than a verifier may forgive yields no token. */
export const wrongPassword: Generator<WrongPassword> = {
  name: 'wrong-password',
  statement:
    "the account's password with one character changed, added, dropped or of other case, all letters of other case, in capitals or small, two characters transposed, cut, reversed, another's, the user name, or text of queries",
  examples: ({ account }) => {
    const chars = [...account.password]
    const { length } = chars
    const middle = Math.floor(length / 2)
    const letter = chars.findLastIndex((char, at) => at > 0 && flipCase(char) !== char)
    const digit = chars.findIndex((char) => /[0-9]/.test(char))
    const symbol = chars.findIndex((char, at) => at > 0 && /[^\p{L}\p{N}\s]/u.test(char))
    // The most revealing first: rarely are more than eight failed logins allowed.
    return [
      { kind: 'changed', at: length - 1 },
      { kind: 'flipped', at: Math.max(letter, 0) },
      { kind: 'swapped', at: 0 },
      { kind: 'appended', at: 0 },
      { kind: 'other', at: 0 },
      { kind: 'cut', at: length - 1 },
      { kind: 'added', at: 0 },
      { kind: 'changed', at: 0 },
      { kind: 'cut', at: 8 },
      { kind: 'reversed', at: 0 },
      { kind: 'dropped', at: symbol < 0 ? middle : symbol },
      { kind: 'half', at: 0 },
      { kind: 'user-name', at: 0 },
      { kind: 'query', at: 0 },
      { kind: 'query', at: 1 },
      { kind: 'query', at: 2 },
      { kind: 'added', at: middle },
      { kind: 'unrelated', at: 0 },
      { kind: 'changed', at: digit < 0 ? middle : digit },
      { kind: 'changed', at: middle },
      { kind: 'capitals', at: 0 },
      { kind: 'dropped', at: 0 },
      { kind: 'query', at: 3 },
      { kind: 'lowered', at: 0 },
      { kind: 'transposed', at: middle },
      { kind: 'numbered', at: 0 },
      { kind: 'query', at: 4 },
      { kind: 'query', at: 5 },
    ]
  },
  arbitrary: ({ account }) => mistakes(PASSWORD_MISTAKES, account.password),
  bind: (value, scope) => {
    const password = passwordOf(value, scope)
    return isMadeUp(scope.account) && value.kind !== 'other' ? plain(password.wire) : password
  },
  show: (value, scope) => passwordOf(value, scope).shown,
  inScope: hasWrongPassword,
}

function passwordOf({ kind, at }: WrongPassword, scope: Scope): RedactableText {
  const { account } = scope
  const chars = [...account.password]
  const isLast = at === chars.length - 1
  const place = isLast ? 'last character' : `character ${at + 1}`
  const wrong = (password: string, how: string): RedactableText =>
    secret(password, `${passwordLabel(account)}: ${how}`)
  switch (kind) {
    case 'changed':
      return wrong(splice(chars, at, 1, neighbour(chars[at] ?? '')), `${place} changed`)
    case 'dropped':
      return wrong(splice(chars, at, 1, ''), `${place} dropped`)
    case 'added':
      return wrong(splice(chars, at, 0, 'x'), `a character added before ${place}`)
    case 'flipped':
      return wrong(splice(chars, at, 1, flipCase(chars[at] ?? '')), `case of ${place} flipped`)
    case 'swapped':
      return wrong(chars.map(flipCase).join(''), 'case of all letters swapped')
    case 'capitals':
      return wrong(account.password.toUpperCase(), 'in capitals')
    case 'lowered':
      return wrong(account.password.toLowerCase(), 'in small letters')
    case 'transposed': {
      const [one = '', next = ''] = chars.slice(at)
      return wrong(splice(chars, at, 2, next + one), `${place} and the next one transposed`)
    }
    case 'cut':
      return wrong(chars.slice(0, at).join(''), isLast ? 'last character dropped' : `cut to ${at} characters`)
    case 'appended':
      return wrong(`${account.password}x`, 'a character appended')
    case 'numbered':
      return wrong(`${account.password}1`, 'a digit appended')
    case 'half':
      return wrong(chars.slice(0, Math.ceil(chars.length / 2)).join(''), 'cut to half')
    case 'reversed':
      return wrong(chars.toReversed().join(''), 'reversed')
    case 'other': {
      const other = passwordOwner(scope)
      return other === account
        ? secret('', 'no other password')
        : secret(other.password, passwordLabel(other))
    }
    case 'user-name':
      return { wire: account.userName, shown: account.shownName ?? account.userName }
    case 'query':
      return plain(PASSWORD_QUERIES[at % PASSWORD_QUERIES.length] ?? '')
    case 'unrelated':
      return secret(UNRELATED, `a password that is no account's`)
  }
}

const OTHER_PASSWORD = 'fresh-with-other-password' as const
const NAME_MISTAKES = ['fresh', 'longer', 'shorter', 'changed', 'prefixed', 'pattern', 'joined'] as const

/** Names that mean something to a store that is asked with them unescaped: `known` is a name that has an account. */
const QUERIES: readonly ((known: string) => string)[] = [
  (known) => `${known}'--`,
  (known) => `${withoutLast(known)}*`,
  () => `' OR '1'='1`,
  (known) => `${withoutLast(known)}_`,
  (known) => `${withoutLast(known)}%`,
  // Of a store that takes it for a regular expression.
  (known) => `${withoutLast(known)}.`,
  (known) => `${known})(uid=*`,
  () => '*',
  () => '*)(uid=*',
  (known) => `${known}' OR '1'='1`,
  (known) => `${known}"--`,
  (known) => `${known}'#`,
  (known) => `${known};`,
  // Of a service that is asked with them in a path.
  (known) => `%${known.charCodeAt(0).toString(16)}${known.slice(1)}`,
  (known) => `${known}?x`,
  (known) => `x/../${known}`,
  (known) => `${known}#x`,
]

/**
 * A user name that no account has, tried with the account's own password or with another declared one's; or what a
 * service may know a new account by beside what it logs in with, with no account's password.
 */
export type UnknownUser = {
  readonly kind: (typeof NAME_MISTAKES)[number] | 'query' | 'member' | 'other-name' | typeof OTHER_PASSWORD
  /** A character of the name; of a query, or of the members of objects, which one. */
  readonly at: number
}

/** 4.1-credentials: an unknown user yields no token, whatever the password. */
export const unknownUser: Generator<UnknownUser> = {
  name: 'unknown-user',
  statement:
    "user names that are no account's: fresh ones, near misses of the account's, and text of queries and paths, with its password or another's; its own without the last character, which is put before the password; the e-mail address of a new one, or its user name where it logs in with its address, with a wrong password",
  // The most revealing first: often only two failed logins are left for it.
  examples: (scope) => [
    { kind: 'longer', at: 0 },
    { kind: 'pattern', at: 0 },
    ...QUERIES.slice(0, 3).map((_, at) => ({ kind: 'query' as const, at })),
    { kind: 'member', at: 0 },
    ...(otherNameOf(scope) === undefined ? [] : [{ kind: 'other-name' as const, at: 0 }]),
    ...(['shorter', 'fresh', 'prefixed', 'changed', 'joined'] as const).map((kind) => ({ kind, at: 0 })),
    // A service may have the passwords of its first accounts elsewhere than those of new ones.
    ...(passwordOwner(scope) === scope.account ? [] : [{ kind: OTHER_PASSWORD, at: 0 }]),
    ...QUERIES.slice(3).map((_, at) => ({ kind: 'query' as const, at: at + 3 })),
    ...OBJECT_MEMBERS.slice(1).map((_, at) => ({ kind: 'member' as const, at: at + 1 })),
  ],
  arbitrary: ({ account }) =>
    fc.oneof(
      mistakes(NAME_MISTAKES, account.userName),
      fc.record({ kind: fc.constant('query' as const), at: fc.nat(QUERIES.length - 1) }),
      fc.record({ kind: fc.constant('member' as const), at: fc.nat(OBJECT_MEMBERS.length - 1) }),
    ),
  bind: (value, scope) => {
    if (value.kind === 'other-name') return { userName: nameOf(value, scope), password: plain(UNRELATED) }
    const owner = value.kind === OTHER_PASSWORD ? passwordOwner(scope) : scope.account
    const moved = value.kind === 'joined' ? [...owner.userName].slice(-1 - value.at).join('') : ''
    const label = passwordLabel(owner) + (moved === '' ? '' : ' after the end of the user name')
    const password = moved + owner.password
    return {
      userName: nameOf(value, scope),
      password: isMadeUp(owner) ? plain(password) : secret(password, label),
    }
  },
  show: (value, scope) => {
    const { shown } = nameOf(value, scope)
    if (value.kind === 'other-name') return `${shown} with a password that is no account's`
    if (value.kind === 'joined') return `${shown}, with the rest of the name before the password`
    return value.kind === OTHER_PASSWORD ? `${shown} with the ${passwordLabel(passwordOwner(scope))}` : shown
  },
  inScope: hasUnknownUser,
}

/** The first declared account whose password is not the account's own, or else the account. */
function passwordOwner({ account, deployment }: Scope): Account {
  return deployment.accounts.find(({ password }) => password !== account.password) ?? account
}

/** Of a new account: its e-mail address, or the user name beside the address that it logs in with. */
function otherNameOf({
  account,
  emailDomain,
  shownEmailDomain = emailDomain,
}: Scope): RedactableText | undefined {
  const { userName } = account
  if (emailDomain === undefined || !isMadeUp(account)) return undefined
  return userName.endsWith(`@${emailDomain}`)
    ? plain(userName.slice(0, -emailDomain.length - 1))
    : { wire: `${userName}@${emailDomain}`, shown: `${userName}@${shownEmailDomain}` }
}

function nameOf(value: UnknownUser, scope: Scope): RedactableText {
  const { account, runNonce } = scope
  const { kind, at } = value
  if (kind === 'other-name') return otherNameOf(scope) ?? plain(account.userName)
  const wire = unknownName(kind, at, account.userName, runNonce)
  const isDerived = kind !== 'fresh' && kind !== OTHER_PASSWORD && kind !== 'member'
  if (account.shownName !== undefined && isDerived)
    return secret(wire, `${nameInLabel(account)}: ${kind}, ${at}`)
  const shown = unknownName(kind, at, account.userName, '‹run›')
  return { wire, shown: isMadeUp(account) && isDerived ? shownCut(shown, account.userName, runNonce) : shown }
}

/** Of a name without all the letters that set the run apart, what a name of another run has in their place. */
function shownCut(shown: string, known: string, nonce: string): string {
  const own = known.slice(0, known.indexOf(nonce))
  if (shown.includes(nonce) || !shown.startsWith(own)) return shown
  const rest = shown.slice(own.length)
  const kept = [...nonce].findIndex((letter, at) => letter !== rest[at])
  return kept === 0 ? shown : `${own}‹run cut to ${kept} of ${nonce.length} letters›${rest.slice(kept)}`
}

function unknownName(
  kind: Exclude<UnknownUser['kind'], 'other-name'>,
  at: number,
  name: string,
  run: string,
): string {
  const chars = [...name]
  switch (kind) {
    case 'fresh':
    case OTHER_PASSWORD:
      return `absent${run}${at}`
    case 'longer':
      return name + run
    case 'shorter':
    case 'joined':
      return chars.slice(0, -1 - at).join('')
    case 'prefixed':
      return run + name
    case 'changed':
      return splice(chars, at, 1, chars[at] === 'x' ? 'q' : 'x')
    case 'pattern':
      return `${chars.slice(0, at).join('')}%`
    case 'query':
      return QUERIES[at]?.(name) ?? name
    case 'member':
      return OBJECT_MEMBERS[at] ?? name
  }
}

function withoutLast(text: string): string {
  return [...text].slice(0, -1).join('')
}

/** One of the kinds, at any character of the text. */
function mistakes<Kind extends string>(
  kinds: readonly Kind[],
  text: string,
): fc.Arbitrary<{ readonly kind: Kind; readonly at: number }> {
  return fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(Math.max([...text].length - 1, 0)) })
}
