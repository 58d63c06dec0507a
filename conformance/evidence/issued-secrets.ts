import type { Exchange } from '../exchange/exchange.js'
import { isCredentialHeader } from '../exchange/header-credentials.js'
import { imfFixdateProblem } from '../exchange/headers.js'
import { requestOf } from '../exchange/http-request.js'
import type { HttpResponse } from '../exchange/http-response.js'
import { decodeUtf8 } from '../exchange/utf8.js'
import { secretMembers, secretsInUrl, secretsNamedIn } from './hidden-fields.js'

/** What a cookie may have (RFC 6265, section 4.1.1), and neither a text nor a usual word. */
const CREDENTIAL = /^[!#-+\--:<-[\]-~]{16,4096}$/
/** A path, a URL or an e-mail address: where to go back to, or who was here. */
const ADDRESS = /^\/[a-z]+(?:[/?]|$)|:\/\/|%3a%2f%2f|^[^@]{1,64}(?:@|%40)[^@]{1,255}\.[a-z]{2,24}$/i
/** A service writes when someone was here last, in this form or as an HTTP date. */
const ISO_DATE = /^\d{4}-\d\d-\d\d[T ][\d:]{5,8}(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/
/** The name of a message, such as `unsupported_grant_type.title` (RFC 6749, section 5.2). */
const ERROR =
  /^(?:invalid_(?:request|client|grant|scope)|unauthorized_client|unsupported_grant_type)(?:\.[a-z]+)*$/
/** Keys by which answers are stored. */
const KEY_OF_A_CACHE = /(?:cache|surrogate|idempotency)[-_]?key$/i
/** Of one answer: a flood of them is to push no other secret out. So many are looked at. */
const MAX_SECRETS = 16
const MAX_NAMED = 100

/**
 * What an answer names a secret by a cookie, a header, a parameter of its `Location` or a member: it may repeat it in another
 * place. What was sent to it, or is a name, is none.
 * @param names of accounts
 */
export function issuedSecrets(
  { raw, json, text }: HttpResponse,
  exchange: Pick<Exchange, 'request'>,
  names: readonly string[],
): readonly string[] {
  const ofHeaders = raw.headers.flatMap(([name, value]) => {
    if (/^set-cookie2?$/i.test(name)) return (value.split(';', 1)[0] ?? '').replace(/^[^=]*="?|"$/g, '')
    if (/^(?:content-)?location$/i.test(name)) return secretsInUrl(value)
    return isCredentialHeader(name) && !KEY_OF_A_CACHE.test(name) ? value.replace(/^[A-Za-z]+ +/, '') : []
  })
  const members = json.root === undefined ? secretsNamedIn(text, MAX_NAMED) : secretMembers(json.root)
  // `PasswordRequiresNonAlphanumeric` says what is wrong with one.
  const ofMembers = members.filter(({ name, value }) => !/password$/i.test(name) || /\d/.test(value))
  const named = [...ofHeaders, ...ofMembers.map(({ value }) => value)].filter(
    (value) =>
      CREDENTIAL.test(value) && !ADDRESS.test(value) && !ERROR.test(value) && !isDate(unescaped(value)),
  )
  if (named.length === 0) return named
  const { path, query, body = new Uint8Array() } = requestOf(exchange)
  const sent = [path, query, decodeUtf8(body).text, ...names].join('\n')
  const known = `${sent}\n${unescaped(sent)}`.toLowerCase()
  const isKnown = (value: string): boolean =>
    [value, unescaped(value)].some((text) => known.includes(text.toLowerCase()))
  return named
    .slice(0, MAX_NAMED)
    .filter((value) => !isKnown(value))
    .slice(0, MAX_SECRETS)
}

function isDate(text: string): boolean {
  return ISO_DATE.test(text) || imfFixdateProblem(text.replaceAll('+', ' ')) === undefined
}

function unescaped(text: string): string {
  return text.replace(/%[2-7][\da-f]/gi, (code) => decodeURIComponent(code))
}
