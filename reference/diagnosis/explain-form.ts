import { type FormBody, maximumPairs, onlyValue, parseForm } from '../http/form.js'
import { parseJsonObject } from '../http/json-body.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { nearMiss } from './near-miss.js'

const must = 'it must be exactly "password"'

export function explainGrantType({ body }: ReceivedRequest): string | undefined {
  const grantType = onlyValue(parseForm(body), 'grant_type')
  if (grantType === undefined) return undefined
  const miss = nearMiss(grantType, 'password')
  if (miss !== undefined) return `the grant_type ${miss}: ${must}`
  if (/^password[;,\s].*=/s.test(grantType))
    return 'the grant_type goes on after "password": pairs are separated by & alone'
  const others = ['refresh_token', 'client_credentials', 'authorization_code', 'implicit']
  return others.includes(grantType) ? `the grant_type is ${grantType}: ${must}` : undefined
}

export function explainNoGrantType(request: ReceivedRequest): string | undefined {
  const { body, headers } = request
  if (body.length === 0)
    return inQuery('grant_type', request) ?? 'the body is empty: it must be a form with grant_type=password'
  if (headers['content-encoding'] !== undefined)
    return 'the body has a Content-Encoding, which is not undone: it must be sent plain'
  if (parseJsonObject(body) !== undefined)
    return 'the body is JSON: it must be a form, as its Content-Type says'
  const [[name, value] = ['', ''], ...others] = parseForm(body).pairs
  if (others.length === 0 && value === '' && name.includes('='))
    return 'the body is escaped as a whole: names and values are, but not the = and & between them'
  return explainMissing('grant_type', request)
}

/** Why a form lacks a parameter. */
export function explainMissing(wanted: string, request: ReceivedRequest): string | undefined {
  const form = parseForm(request.body)
  return (
    misspelt(wanted, form) ??
    inQuery(wanted, request) ??
    inHeader(wanted, request) ??
    (form.malformed ? `${wanted} is missing, or what is there is no form in UTF-8` : undefined)
  )
}

/** What of a form cannot be decoded. */
export function explainMalformedForm({ body }: ReceivedRequest): string {
  const text = Buffer.from(body).toString('latin1')
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return 'the form holds a bad % escape: a % itself must be written %25'
  return text.split('&').filter((pair) => pair !== '').length > maximumPairs
    ? `the form holds more than ${maximumPairs} pairs`
    : 'the form holds bytes that are not UTF-8: it may be in ISO-8859-1'
}

/** Other frameworks' names for what the specification calls so. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['grant_type', ['granttype', 'grant']],
  ['username', ['user_name', 'user', 'login', 'email']],
  ['password', ['passwd', 'pwd', 'pass']],
])

function misspelt(wanted: string, { pairs }: FormBody): string | undefined {
  for (const [name] of pairs) {
    if (name === `amp;${wanted}`) return `the form separates its pairs by &amp;: it must be & alone`
    const miss = nearMiss(name, wanted)
    if (name !== '' && miss !== undefined)
      return `the form holds no ${wanted}, but a parameter whose name ${miss}: it must be exactly "${wanted}"`
    const alias = aliases.get(wanted)?.find((other) => other === name.toLowerCase())
    if (alias !== undefined)
      return `the form holds no ${wanted}, but ${alias}: the name must be exactly "${wanted}"`
  }
  return undefined
}

function inQuery(wanted: string, { query }: ReceivedRequest): string | undefined {
  return new URLSearchParams(query).has(wanted)
    ? `the ${wanted} is in the query: it belongs in the body`
    : undefined
}

function inHeader(wanted: string, { headers: { authorization = '' } }: ReceivedRequest): string | undefined {
  return wanted !== 'grant_type' && /^Basic /i.test(authorization)
    ? `the form holds no ${wanted}: it is read from there alone, not from the header Authorization`
    : undefined
}
