import { type FormBody, onlyValue, parseForm } from '../http/form.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { nearMiss, unescaped, unseenEnds } from './near-miss.js'
import { isParameter, type ServerFacts, withheld } from './parameters.js'

/** Why no account has the user name that was sent. */
export function explainUnknownUser({ body }: ReceivedRequest, known: ServerFacts): string | undefined {
  const form = parseForm(body)
  const userName = onlyValue(form, 'username')
  if (userName === undefined) return undefined
  if (userName === '') return 'the username is empty'
  const none = 'no account has this user name'
  const ends = unseenEnds(userName)
  if (ends !== undefined) return `${none}, which ${ends}`
  for (const name of known.someNames()) {
    const miss = name === userName ? 'is the e-mail address of one' : nearMiss(userName, name)
    if (miss !== undefined) return `${none}: it ${miss.replace('differs', 'differs from one')}`
  }
  const [, domain = ''] = /^[^\\/]*[\\/](.+)$/.exec(userName) ?? []
  if (known.isAccount(domain)) return `${none}: it is one with a domain before it`
  return known.isAccount(onlyValue(form, 'password') ?? '')
    ? `${none}, but the password is one: they may be swapped`
    : undefined
}

/** What makes a password look as if it had not arrived as it was meant. What it should be is not known here. */
export function explainWrongPassword({ body }: ReceivedRequest): string | undefined {
  const form = parseForm(body)
  const password = onlyValue(form, 'password')
  if (password === undefined) return undefined
  if (password === '') return 'the password is empty'
  const odd =
    unseenEnds(password) ??
    (/^(["'`]).*\1$/s.test(password) ? 'is in quotes' : undefined) ??
    (unescaped(password) !== password && unescaped(password) !== undefined
      ? 'holds a % escape, and may be escaped twice'
      : undefined) ??
    (password.includes(' ') ? 'holds a space: a + within it must be written %2B' : undefined) ??
    (isCutShort(form) ? 'may have been cut short: an & within it must be written %26' : undefined)
  return odd === undefined ? undefined : `the password is not that of the account: what was sent ${odd}`
}

/** What follows the password is an unknown parameter without a value. */
function isCutShort({ pairs }: FormBody): boolean {
  const [name, value] = pairs[pairs.findIndex(([before]) => before === 'password') + 1] ?? ['password', '']
  return !isParameter(name) && value === ''
}

/** The texts that quote what was sent; all others speak of the policy alone. */
const quoting = [
  /^(User name ).*( is invalid, .*)$/s,
  /^(Name ).*( is already taken\.)$/s,
  /^(Email ').*(' is [a-z ]+\.)$/s,
]

/** Why an account was not registered: what its client reads, without what the client sent. */
export function explainAccount(errors: readonly string[]): string | undefined {
  if (errors.length === 0) return undefined
  const texts = errors.map((error) =>
    quoting.reduce((text, pattern) => text.replace(pattern, `$1${withheld}$2`), error),
  )
  return `the new account is not allowed: ${texts.join(' ')}`
}
