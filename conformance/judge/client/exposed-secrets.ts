import type { Judgement } from '../../../spec/model/report.js'
import type { Exchange } from '../../exchange/exchange.js'
import { decoded } from '../../exchange/form.js'
import { valuesIn } from '../../exchange/header-credentials.js'
import { type HttpRequest, requestOf } from '../../exchange/http-request.js'
import { parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import { failed, PASSED } from './decision.js'

type Kind = 'password' | 'token'

export interface SecretLookup {
  isToken(text: string): boolean
  isPassword(text: string): boolean
  /** Where the request is known to be one for a token, which needs the user name in its form alone. */
  isUserName?(text: string): boolean
  /** Whether a longer text shows a secret that no text has by chance, in any spelling that the redactor undoes. */
  shows(what: Kind, text: string): boolean
  /** Whether the service has put a token into a cookie, which a browser returns by itself. */
  readonly setsTokenCookie?: boolean
}

/** A secret in a place where others read it. */
export interface Exposure {
  readonly what: Kind | 'user name'
  readonly where: 'url' | 'header' | 'body'
  readonly name?: string
  /** Where all of a text is a secret. */
  readonly value?: string
}

/** A text of a request that may be a secret by itself, and what it is called there. */
export type NamedText = readonly [name: string, text: string]

/**
 * The secrets that a request shows in its URL or in a header, but for a token that is sent as a bearer.
 * @param isBodySearched of a token request the body is where the password belongs
 */
export function findExposures(
  exchange: Exchange,
  secrets: SecretLookup,
  isBodySearched = false,
): readonly Exposure[] {
  const request = requestOf(exchange)
  const inBody = isBodySearched ? within(decodeUtf8(request.body).text, secrets, { where: 'body' }) : []
  return [...inUrl(request, secrets), ...inHeaders(request, secrets), ...inBody]
}

function within(text: string, secrets: SecretLookup, place: Omit<Exposure, 'what'>): readonly Exposure[] {
  const shown = (['password', 'token'] as const).filter((what) => secrets.shows(what, text))
  return shown.map((what) => ({ what, ...place }))
}

function inUrl({ path, query }: HttpRequest, secrets: SecretLookup): readonly Exposure[] {
  const segments = path.split('/').map((part): NamedText => ['', decoded(part)])
  const texts: readonly NamedText[] = [...parseForm(Buffer.from(query, 'latin1')).pairs, ...segments]
  const equal = texts.flatMap(([name, value]): readonly Exposure[] => {
    if (secrets.isToken(value)) return [{ what: 'token', where: 'url', value }]
    if (secrets.isUserName?.(value)) return [{ what: 'user name', where: 'url' }]
    const isSecret = secrets.isPassword(value) && (isDistinctive(value) || SECRET_NAME.test(name))
    return isSecret ? [{ what: 'password', where: 'url', value }] : []
  })
  return [...equal, ...within(`${path}?${query}`, secrets, { where: 'url' })]
}

function inHeaders({ headers, trailers }: HttpRequest, secrets: SecretLookup): readonly Exposure[] {
  return headers.flatMap(([name, text], index): readonly Exposure[] => {
    const values = valuesIn(name, text)
    const isSentAsBearer = index < headers.length - trailers && isBearer(name, text)
    const isReturned = /^cookie$/i.test(name) && secrets.setsTokenCookie === true
    const equal = values.flatMap((value): readonly Exposure[] => {
      if (secrets.isToken(value) && !isSentAsBearer && !isReturned)
        return [{ what: 'token', where: 'header', name, value }]
      if (secrets.isUserName?.(value)) return [{ what: 'user name', where: 'header', name }]
      const isSecret = secrets.isPassword(value) && (isDistinctive(value) || /^authorization$/i.test(name))
      return isSecret ? [{ what: 'password', where: 'header', name, value }] : []
    })
    const isToken = isSentAsBearer && values.some((value) => secrets.isToken(value))
    const inName = within(name, secrets, { where: 'header', name: 'the name of a header' })
    const inside = isToken ? [] : within(text, secrets, { where: 'header', name })
    return [...equal, ...inName, ...inside.filter(({ what }) => what !== 'token' || !isReturned)]
  })
}

const SECRET_NAME = /pass|pwd|secret|token/i

/** A shorter one, or a plain word, may be equal by chance. */
export function isDistinctive(password: string): boolean {
  return password.length >= 6 && /[^A-Za-z]/.test(password) && !/^\d+$/.test(password)
}

function isBearer(name: string, text: string): boolean {
  return /^authorization$/i.test(name) && /^bearer +[^ ]+$/i.test(text)
}

/** 4.1: credentials and token are in no URL, and the credentials are in the body of token requests alone. */
export function judgeSecrets(exposures: readonly Exposure[]): Judgement {
  const rule = 'client:request-secrets'
  const found = exposures.find(({ what, where }) => where === 'url' || what !== 'token')
  if (found === undefined) return { rule, ...PASSED }
  const { what, where, name } = found
  if (where === 'url')
    return {
      rule,
      ...failed(`a ${what} is in the URL`, 'credentials and token in no URL', `a ${what} in path or query`),
    }
  const message = where === 'header' ? `the ${what} is in a header` : `the ${what} is in another request`
  const actual = where === 'header' ? `in ${name}` : 'in the body of another request'
  return { rule, ...failed(message, `the ${what} in the body of token requests alone`, actual) }
}

const PLACES: Readonly<Partial<Record<Exposure['where'], string>>> = {
  url: 'in the URL',
  body: 'in the body',
}

/** 2.1: how a request uses a known token; undefined where it uses none. */
export function judgeBearer(
  exchange: Exchange,
  exposures: readonly Exposure[],
  secrets: SecretLookup,
): Judgement | undefined {
  const rule = 'client:request-bearer'
  const elsewhere = exposures.find(({ what }) => what === 'token')
  if (elsewhere !== undefined) {
    const actual = PLACES[elsewhere.where] ?? `in ${elsewhere.name}`
    const message = 'the token is not sent as the contract has it'
    return { rule, ...failed(message, 'Authorization: Bearer and the token', actual) }
  }
  // One in a trailer is exposed.
  const { length } = exchange.request.headers.filter(
    ([name, text]) => isBearer(name, text) && valuesIn(name, text).some((value) => secrets.isToken(value)),
  )
  if (length > 1)
    return { rule, ...failed('the token is sent more than once', 'one Authorization', `${length} lines`) }
  return length === 1 ? { rule, ...PASSED } : undefined
}
