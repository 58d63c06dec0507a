import type { RequestTemplate } from '../../../spec/model/case.js'
import type { Json } from '../../../spec/model/json.js'
import { literal } from '../../../spec/model/literal.js'
import type { HeaderList } from '../../../spec/model/report.js'
import { hidePathParameters } from '../../evidence/hidden-fields.js'
import { encodeFormText } from '../../exchange/form.js'
import { headerValues, parseMediaType } from '../../exchange/headers.js'
import { FORM } from '../../exchange/template.js'
import { encodeUtf8 } from '../../exchange/utf8.js'
import { sentValues } from '../../judge/client/sent-values.js'
import type { RecordedRequest } from './read-har.js'
import { formPairs, mayNameSecret, recordedForm } from './recorded-form.js'
import { recordedHeaders } from './recorded-headers.js'
import {
  isMarker,
  namesSecret,
  RecordedValues,
  type RecordingScope,
  SECRET_NAME,
  standIn,
  UNREADABLE,
} from './recorded-values.js'

/** A recorded request as it is sent, and what it had in place of that. */
export interface RecordedTemplate {
  readonly template: RequestTemplate
  /** What must reach no output. */
  readonly passwords: ReadonlySet<string>
  readonly userNames: ReadonlySet<string>
  /** Headers and parameters that are not sent. */
  readonly dropped: ReadonlySet<string>
  /** Those that are sent with a made-up value. */
  readonly changed: ReadonlySet<string>
}

/** In octets: "at least 8000" are recommended to be read (RFC 9110, section 4.1). */
const MAX_TARGET = 8000

/** How a path is below a base URL; undefined: it is not. */
export function belowBase(
  path: string,
  { basePaths }: Pick<RecordingScope, 'basePaths'>,
): string | undefined {
  const base = basePaths.find((own) => path.startsWith(`${own}/`))
  return base === undefined ? undefined : path.slice(base.length)
}

/**
 * A recorded request with an account of the target in the place of its user: method, path, headers and spelling are kept.
 * Or why it cannot be sent.
 */
export function recordedTemplate(
  recorded: RecordedRequest,
  scope: RecordingScope,
): RecordedTemplate | string {
  const { method, headers, target } = recorded
  if (recorded.body !== undefined && 'unread' in recorded.body) return recorded.body.unread
  const [rawPath = '', ...queries] = target.split('?')
  const query = queries.length === 0 ? undefined : queries.join('?')
  const text = textOf(recorded)
  const body = text === undefined ? undefined : readBody(text, headers)
  const request = { method, path: target, headers, ...(text === undefined ? {} : { body: encodeUtf8(text) }) }
  const inBody = body?.kind === 'form' ? formPairs(body.text) : sentValues({ request })
  const values = new RecordedValues(scope, [...inBody, ...formPairs(query ?? '')])
  const path = belowBase(rawPath, scope) ?? rawPath
  if (
    values.repeatsSecret(rawPath) ||
    hidePathParameters(rawPath) !== rawPath ||
    !/^[\x21-\x7e]*$/.test(target)
  )
    values.refuse('its path cannot be sent')
  if (body?.kind === 'form' && isCut(recorded, inBody))
    values.refuse('less of its body is recorded than was sent')
  if (target.length > MAX_TARGET) values.refuse('its path and query are longer than a service must read')
  const sent = body === undefined ? withoutBody(method) : bodyTemplate(body, inBody, values)
  const template = {
    ...(method === 'POST' ? {} : { method }),
    ...pathAndQuery(path, query, scope, values),
    ...withContentType(recordedHeaders(headers, scope.headers, values), 'form' in sent),
    ...sent,
  }
  const forms = [query ?? '', body?.kind === 'form' ? body.text : '']
  if (forms.some(mayNameSecret)) values.refuse(SECRET_NAME)
  const { problem, passwords, userNames, dropped, changed } = values
  return problem ?? { template, passwords, userNames, dropped, changed }
}

function textOf({ body }: RecordedRequest): string | undefined {
  if (body === undefined || 'unread' in body) return undefined
  if ('text' in body) return body.text
  return body.pairs.map((pair) => pair.map((text) => encodeFormText(text)).join('=')).join('&')
}

/** Whether more was sent than is recorded of a form, and no secret hidden in it explains that. */
function isCut(
  recorded: RecordedRequest,
  sent: readonly (readonly [name: string, value: string])[],
): boolean {
  return longestOf(recorded) < recorded.bodySize && !sent.some(([, value]) => isMarker(value))
}

/** In octets. Of pairs no recorder tells what was escaped: each character but letters and digits, at the most. */
function longestOf(recorded: RecordedRequest): number {
  const text = textOf(recorded) ?? ''
  const isSpelled = recorded.body !== undefined && 'text' in recorded.body
  return Buffer.byteLength(isSpelled ? text : text.replace(/[^a-z\d%=&]/gi, '%00'))
}

type ReadBody =
  | { readonly kind: 'form' | 'parts' | 'other'; readonly text: string }
  | { readonly kind: 'json'; readonly json: Json }

/** By what it is, as a client may say that a form is JSON. */
function readBody(text: string, headers: HeaderList): ReadBody {
  const [contentType] = headerValues(headers, 'content-type')
  const json = parseJson(text)
  if (json !== undefined) return { kind: 'json', json }
  if (isInParts(contentType) && /^\s*--.*--\s*$/s.test(text)) return { kind: 'parts', text }
  return { kind: /^\s*</.test(text) ? 'other' : 'form', text }
}

function parseJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutBody(method: string): Pick<RequestTemplate, 'body'> {
  return /^(?:GET|HEAD|OPTIONS|DELETE)$/.test(method) ? {} : { body: '' }
}

function bodyTemplate(
  body: ReadBody,
  sent: readonly (readonly [name: string, value: string])[],
  values: RecordedValues,
): Pick<RequestTemplate, 'form' | 'spelling' | 'json' | 'body'> {
  if (body.kind === 'json') return { json: replaceJson(body.json, '', values) ?? {} }
  if (body.kind === 'form') return recordedForm(body.text, values)
  return { body: replaceTexts(body.text, sent, body.kind === 'parts', values) }
}

function isInParts(contentType = ''): boolean {
  return parseMediaType(contentType)?.essence === 'multipart/form-data'
}

/** A query is sent to the letter, unless it has something to replace. */
function pathAndQuery(
  path: string,
  query: string | undefined,
  { tokenPath }: RecordingScope,
  values: RecordedValues,
): Pick<RequestTemplate, 'path' | 'query'> {
  const own = path === tokenPath ? {} : { path: literal(path) }
  if (query === undefined) return own
  const pairs = formPairs(query).map(([name, value]) => [name, value, values.replace(name, value)] as const)
  if (pairs.every(([, value, template]) => template === literal(value)))
    return { path: literal(`${path}?${query}`) }
  const kept = pairs.flatMap(([name, , template]): readonly [string, string][] =>
    template === undefined ? [] : [[name, template]],
  )
  return { ...own, query: kept }
}

/** Spelled as a case has it where it is the usual one, so that equal requests are equal cases. */
function withContentType(
  headers: Readonly<Record<string, string>>,
  hasForm: boolean,
): Pick<RequestTemplate, 'headers' | 'contentType'> {
  const { 'Content-Type': usual, ...others } = headers
  const rest = Object.keys(others).length === 0 ? {} : { headers: others }
  if (usual === undefined) return { ...rest, contentType: null }
  return { ...rest, ...(hasForm && usual === FORM ? {} : { contentType: usual }) }
}

const MAX_DEPTH = 100

/** Every string by the name of its member. A parameter that is not sent is left out. */
function replaceJson(json: Json, name: string, values: RecordedValues, depth = 0): Json | undefined {
  if (depth > MAX_DEPTH) {
    values.refuse('its JSON is nested too deeply')
    return undefined
  }
  if (typeof json === 'string') return values.replace(name, json)
  if (typeof json === 'number') {
    const template = values.replace(name, String(json))
    const isNumber = template === String(json) || /^-?1+(?:\.1+)?$/.test(template ?? '')
    return isNumber ? Number(template) : template
  }
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json))
    return json.flatMap((item: Json) => replaceJson(item, name, values, depth + 1) ?? [])
  const members = Object.entries(json).flatMap(([own, value]) => {
    const replaced = replaceJson(value, own, values, depth + 1)
    return replaced === undefined ? [] : [[own, replaced] as const]
  })
  return Object.fromEntries(members)
}

/** A shorter secret is in a body by chance. */
const MIN_IN_BODY = 4

/** Parts without the names of files, which are values too. */
function nameless(text: string): string {
  return text.replace(
    /^(content-disposition:[^\r\n]*?filename\*?=)([^\r\n]*)/gim,
    (_, before: string, name: string) => before + standIn(name),
  )
}

/** In a body of parts, a value is all of a part: it is read as it is. */
function replaceTexts(
  text: string,
  sent: readonly (readonly [name: string, value: string])[],
  isParts: boolean,
  values: RecordedValues,
): string {
  const secrets = sent.flatMap(([name, value]) => {
    const template = values.replace(name, value)
    return template === literal(value) ? [] : [[value, template ?? ''] as const]
  })
  if (!isParts && (secrets.length > 0 || namesSecret(text))) values.refuse(UNREADABLE)
  if (secrets.some(([secret]) => secret.length < MIN_IN_BODY))
    values.refuse('a value in its body is too short to be found there')
  return secrets.reduce(
    (all, [secret, template]) => all.split(literal(secret)).join(template),
    literal(nameless(text)),
  )
}
