import { MIMEType } from 'node:util'
import type { WireRequest } from '../exchange/exchange.js'
import type { Account } from '../target/deployment.js'
import { isForgiven } from '../target/forgiven-password.js'
import type { Scope } from './generator.js'

/*
 * Classifies a request by its final bytes, independently of the generators: by the platform's own URL and MIME parsers.
 * A counterexample that this classifies as valid is none.
 */

/** A byte order mark stays: it makes another name of the first parameter. */
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })
const MAX_GRANT_TYPE = 256
const FORM = 'application/x-www-form-urlencoded'
/** RFC 6838, section 4.2: names begin with a letter or digit. Rails refuses `application/.a` before any service sees it. */
const MEDIA_TYPE =
  /^[^\W_][!#$&+.^\w-]{0,126}\/[^\W_][!#$&+.^\w-]{0,126}(?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~\w-]+=(?:[!#$%&'*+.^_`|~\w-]+|"[\t !#-[\]-~]*"))*$/

/** A form with one grant type, in NFC and at most 256 characters, that the target does not support. */
export function hasUnsupportedGrantType(request: WireRequest, { deployment }: Scope): boolean {
  const grantTypes = formOf(request).getAll('grant_type')
  const [grantType] = grantTypes
  if (grantTypes.length !== 1 || grantType === undefined || essenceOf(request) !== FORM) return false
  return (
    grantType !== 'password' &&
    !deployment.additionalGrantTypes.includes(grantType) &&
    grantType.length <= MAX_GRANT_TYPE &&
    grantType === grantType.normalize('NFC')
  )
}

/** A perfect form under a valid media type that is another one. */
export function hasOtherMediaType(request: WireRequest, scope: Scope): boolean {
  const essence = essenceOf(request)
  return essence !== undefined && essence !== FORM && isGrant(request, scope)
}

/** A known user with a password that is wrong by more than NIST SP 800-63B lets a verifier forgive. */
export function hasWrongPassword(request: WireRequest, { deployment }: Scope): boolean {
  const form = formOf(request)
  const password = form.get('password')
  const account = accountNamed(form.get('username'), deployment.accounts)
  if (account === undefined || password === null || password === '') return false
  return !isForgiven(password, account.password)
}

/**
 * A user name that is no known account's, also not by case, normalisation or outer white space. With a domain it may be its
 * address, by which a service may let it in: with its own password.
 */
export function hasUnknownUser(request: WireRequest, { deployment }: Scope): boolean {
  const form = formOf(request)
  const name = form.get('username')
  if (name === null || name.trim() === '') return false
  const folded = foldName(name)
  return deployment.accounts.every(({ userName, password }) => {
    const known = foldName(userName)
    if (folded === known) return false
    return !folded.startsWith(`${known}@`) || !isForgiven(form.get('password') ?? '', password)
  })
}

/** A token request that the specification processes as a password grant, with a declared account's credentials. */
export function isValidGrant(request: WireRequest, scope: Scope): boolean {
  return essenceOf(request) === FORM && isGrant(request, scope)
}

function isGrant(request: WireRequest, { deployment }: Scope): boolean {
  const form = formOf(request)
  const [names, passwords] = [form.getAll('username'), form.getAll('password')]
  return (
    request.method === 'POST' &&
    form.getAll('grant_type').join() === 'password' &&
    names.length === 1 &&
    passwords.length === 1 &&
    accountNamed(names[0] ?? null, deployment.accounts)?.password === passwords[0]
  )
}

function formOf(request: WireRequest): URLSearchParams {
  return new URLSearchParams(UTF_8.decode(request.body))
}

function essenceOf(request: WireRequest): string | undefined {
  const values = request.headers.filter(([name]) => name.toLowerCase() === 'content-type')
  const value = values[0]?.[1]
  if (values.length !== 1 || value === undefined || !MEDIA_TYPE.test(value)) return undefined
  try {
    return new MIMEType(value).essence
  } catch {
    return undefined
  }
}

function accountNamed(name: string | null, accounts: readonly Account[]): Account | undefined {
  return accounts.find((account) => account.userName === name)
}

function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().toUpperCase()
}
