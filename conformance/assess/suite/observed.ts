import type { Probe } from '../../../spec/model/specification.js'
import type { SentRequest } from '../../drivers/send/session/session.js'
import { cut as cutText, describeBody } from '../../evidence/describe.js'
import { hideCookie, hideSecretMembers } from '../../evidence/hidden-fields.js'
import type { Redactor } from '../../evidence/redact.js'
import { headerValues } from '../../exchange/headers.js'
import { HttpResponse, textIn } from '../../exchange/http-response.js'
import { stringsOf } from '../../exchange/json-values.js'

const SPECIFIED = ['access_token', 'token_type', 'expires_in', 'userName', '.issued', '.expires', 'userId']
const HEADERS = [
  'Cache-Control',
  'Pragma',
  'Expires',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Vary',
  'Set-Cookie',
  'WWW-Authenticate',
]
const MAX_LENGTH = 600

/** One line about the answers to a probe. Secrets are out before it is cut: half of one is found by no later look. */
export function showObserved(
  shows: Probe['shows'],
  sent: readonly SentRequest[],
  redactor: Pick<Redactor, 'text'>,
): string {
  if (shows === 'tokens') return cut(redactor.text(showTokens(sent)))
  const parts = sent.map(({ label, response, candidate }) => {
    const show = SHOW[candidate !== undefined && shows === 'grant' ? 'registration' : shows]
    const text = response instanceof HttpResponse ? show(response, redactor) : `no answer: ${response.reason}`
    return sent.length > 1 ? `${label}: ${text}` : text
  })
  return cut(redactor.text(parts.join('; ')))
}

type Show = (response: HttpResponse, redactor: Pick<Redactor, 'text'>) => string

const SHOW: Readonly<
  Record<Exclude<Probe['shows'], 'tokens' | 'rate-limit'>, Show> & { 'rate-limit': Show }
> = {
  answer: describeResponse,
  status: (response) => `${response.status}, ${response.header('content-type') ?? 'no Content-Type'}`,
  grant: (response, redactor) =>
    response.yieldsToken ? 'a token' : `no token: ${describeResponse(response, redactor)}`,
  headers: (response) => {
    const found = HEADERS.flatMap((name) =>
      headerValues(response.raw.headers, name).map((value) => `${name}: ${hideCookie(name, value)}`),
    )
    return `${response.status}; ${found.length === 0 ? 'none of them' : found.join('; ')}`
  },
  'extra-members': (response) => {
    const { root } = response.json
    if (root?.kind !== 'object') return 'no JSON object'
    const extra = root.members.map(({ name }) => name).filter((name) => !SPECIFIED.includes(name))
    return extra.length === 0 ? 'none' : extra.join(', ')
  },
  registration: (response) => {
    const { root } = response.json
    const strings = root === undefined ? [response.text] : stringsOf(root)
    return `${response.status}: ${
      strings.length === 0
        ? 'no text'
        : [...strings]
            .reverse()
            .map((text) => JSON.stringify(text))
            .join(', ')
    }`
  },
  'rate-limit': () => '',
}

function describeResponse(response: HttpResponse, redactor: Pick<Redactor, 'text'>): string {
  const type = response.header('content-type') ?? 'no Content-Type'
  return `${response.status}, ${type}, ${cutText(hideSecretMembers(redactor.text(describeBody(response))))}`
}

function showTokens(sent: readonly SentRequest[]): string {
  const [value, second] = sent.map(({ response }) => textIn(response, 'access_token'))
  if (value === undefined) return 'no token'
  const format = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)
    ? 'three base64url parts, as of a JWT'
    : /^[\w-]+$/.test(value)
      ? 'letters of base64url'
      : /^[A-Za-z0-9+/]+=*$/.test(value)
        ? 'letters of base64'
        : 'other characters'
  const again = second === value ? 'the same one' : 'another one'
  return `${format}, ${value.length} characters; the same account gets ${again} the second time`
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`
}
