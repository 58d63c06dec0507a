import type { Judgement } from '../../../spec/model/report.js'
import type { Exchange } from '../../exchange/exchange.js'
import { type HttpRequest, requestOf } from '../../exchange/http-request.js'
import { parseForm } from '../../exchange/parse-form.js'
import { failed, PASSED } from './decision.js'

type Kind = 'password' | 'token'

/** The secrets that a request may show. */
export interface SecretLookup {
  isToken(text: string): boolean
  isPassword(text: string): boolean
  /** No text has one of these by chance: they are found inside longer texts too. */
  readonly distinctive: readonly DistinctiveSecret[]
}

export interface DistinctiveSecret {
  readonly what: Kind
  readonly value: string
  /** As it is, and escaped. */
  readonly spellings: readonly string[]
}

/** Its spellings are worked out here, once: every header of every request is searched for them. */
export function distinctiveSecret(what: Kind, value: string): DistinctiveSecret {
  const inForm = new URLSearchParams([['', value]]).toString().slice(1)
  return { what, value, spellings: [...new Set([value, encodeURIComponent(value), inForm])] }
}

/** A secret in a place where others read it. */
export interface Exposure {
  readonly what: Kind
  readonly where: 'url' | 'header'
  /** The header's name. */
  readonly name?: string
  readonly value: string
}

/** A text of a request that may be a secret by itself, and what it is called there. */
type NamedText = readonly [name: string, text: string]

/** The secrets that a request shows in its URL or in a header, but for a token that is sent as a bearer. */
export function findExposures(exchange: Exchange, secrets: SecretLookup): readonly Exposure[] {
  const request = requestOf(exchange)
  return [...inUrl(request, secrets), ...inHeaders(request, secrets)]
}

function inUrl({ path, query }: HttpRequest, secrets: SecretLookup): readonly Exposure[] {
  const segments = path.split('/').map((part): NamedText => ['', decoded(part)])
  const texts: readonly NamedText[] = [...parseForm(Buffer.from(query, 'latin1')).pairs, ...segments]
  const equal = texts.flatMap(([name, value]): readonly Exposure[] => {
    if (secrets.isToken(value)) return [{ what: 'token', where: 'url', value }]
    const isSecret = secrets.isPassword(value) && (isDistinctive(value) || SECRET_NAME.test(name))
    return isSecret ? [{ what: 'password', where: 'url', value }] : []
  })
  const url = `${path}?${query}`
  const within = secrets.distinctive.flatMap((secret): readonly Exposure[] =>
    contains(url, secret) ? [{ what: secret.what, where: 'url', value: secret.value }] : [],
  )
  return [...equal, ...within]
}

function inHeaders({ headers }: HttpRequest, secrets: SecretLookup): readonly Exposure[] {
  const passwords = secrets.distinctive.filter(({ what }) => what === 'password')
  return headers.flatMap(([name, text]): readonly Exposure[] => {
    const values = valuesIn(name, text)
    const equal = values.flatMap((value): readonly Exposure[] => {
      if (secrets.isToken(value) && !isBearer(name, text))
        return [{ what: 'token', where: 'header', name, value }]
      const isSecret = secrets.isPassword(value) && (isDistinctive(value) || /^authorization$/i.test(name))
      return isSecret ? [{ what: 'password', where: 'header', name, value }] : []
    })
    const texts = [...new Set([text, ...values])]
    const within = passwords.flatMap((secret): readonly Exposure[] =>
      texts.some((one) => contains(one, secret))
        ? [{ what: secret.what, where: 'header', name, value: secret.value }]
        : [],
    )
    return [...equal, ...within]
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

/** The texts in a header that may be a secret by themselves. */
export function valuesIn(name: string, text: string): readonly string[] {
  const [, credentials] = /^basic +([A-Za-z\d+/=_-]+)$/i.exec(text) ?? []
  if (credentials !== undefined) {
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    return [pair.slice(pair.indexOf(':') + 1), pair]
  }
  if (/^cookie$/i.test(name))
    return text.split(';').map((pair) => decoded(pair.slice(pair.indexOf('=') + 1).trim()))
  return [text, text.slice(text.indexOf(' ') + 1)]
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function contains(text: string, { spellings }: DistinctiveSecret): boolean {
  return spellings.some((spelling) => text.includes(spelling))
}

/** 4.1: password and token are in no URL, and the password is in no header. */
export function judgeSecrets(exposures: readonly Exposure[]): Judgement {
  const rule = 'client:request-secrets'
  const found = exposures.find(({ what, where }) => where === 'url' || what === 'password')
  if (found === undefined) return { rule, ...PASSED }
  const { what, where, name } = found
  const decision =
    where === 'url'
      ? failed(`a ${what} is in the URL`, 'password and token in no URL', `a ${what} in path or query`)
      : failed('the password is in a header', 'the password in the body alone', `in ${name}`)
  return { rule, ...decision }
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
    const actual = elsewhere.where === 'url' ? 'in the URL' : `in ${elsewhere.name}`
    const message = 'the token is not sent as the contract has it'
    return { rule, ...failed(message, 'Authorization: Bearer and the token', actual) }
  }
  const uses = exchange.request.headers.some(
    ([name, text]) => isBearer(name, text) && secrets.isToken(text.slice(text.lastIndexOf(' ') + 1)),
  )
  return uses ? { rule, ...PASSED } : undefined
}
