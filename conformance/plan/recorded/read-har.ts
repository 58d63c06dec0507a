import { isUtf8 } from 'node:buffer'
import { AssayError } from '../../../spec/model/assay-error.js'
import { isMap, type Json } from '../../../spec/model/json.js'
import type { HeaderList } from '../../../spec/model/report.js'
import { headerValues, parseMediaType } from '../../exchange/headers.js'
import { FORM } from '../../exchange/template.js'
import { OMITTED } from './recorded-values.js'

/** A request as a HAR file has it. */
export interface RecordedRequest {
  /** Its place in the file, from 1. */
  readonly entry: number
  readonly method: string
  readonly url: URL
  /** Path and query, as they are written. */
  readonly target: string
  /** As they are written: spelling, order and duplicates kept. */
  readonly headers: HeaderList
  /** Undefined: none. */
  readonly body: RecordedBody | Unread | undefined
  /** In octets, as it was sent; 0: unknown. Where fewer are recorded, the rest was cut, or a secret was hidden. */
  readonly bodySize: number
}

/** Why a body is not there to be sent. Playwright keeps some in files of their own, and browsers keep none of a blob. */
export interface Unread {
  readonly unread: string
}

/** A body as text, or as the decoded pairs of a form where the recorder kept no text. */
export type RecordedBody =
  | { readonly text: string }
  | { readonly pairs: readonly (readonly [name: string, value: string])[] }

/** More than a browser records in an hour. */
const MAX_ENTRIES = 50_000
/** Of a body, and of all headers of a request, in characters: no token request is longer. */
const MAX_TEXT = 64 * 1024
const MAX_PAIRS = 200
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/

/**
 * The requests of a HAR 1.2 file that are for a path, as Chromium, Firefox, Safari, mitmproxy, Fiddler, Playwright and
 * `proxy --record` write them; the others are not read.
 * @param file named in messages, which never repeat what is in it
 * @param isWanted whether a path is one to read the request of
 * @throws AssayError `malformed-file` where it is no HAR file, has too many entries, or a wanted request cannot be read
 */
export function readHar(
  file: string,
  text: string,
  isWanted: (path: string) => boolean,
): { readonly requests: readonly RecordedRequest[]; readonly others: readonly URL[] } {
  const har = parse(file, text)
  const log = isMap(har) ? har.log : undefined
  const entries = isMap(log) ? log.entries : undefined
  if (!Array.isArray(entries))
    throw malformed(file, 'expected a HAR file, an object with `log.entries`, found another value')
  if (entries.length > MAX_ENTRIES)
    throw malformed(file, `expected at most ${MAX_ENTRIES} entries, found ${entries.length}`)
  const requests: RecordedRequest[] = []
  const others: URL[] = []
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry, index + 1, isWanted)
    if (typeof read === 'string') throw malformed(file, `entry ${index + 1}: ${read}`)
    if (read instanceof URL) others.push(read)
    else if (read !== undefined) requests.push(read)
  }
  return { requests, others }
}

function parse(file: string, text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says repeats a part of the text, which may be a password.
    throw malformed(file, 'expected a HAR file, found text that is not JSON')
  }
}

function malformed(file: string, problem: string): AssayError {
  return new AssayError('malformed-file', `${file}: ${problem}`)
}

/** The request, the URL of one that is not wanted, nothing for what is not HTTP, or what is wrong with it. */
function readEntry(
  entry: Json,
  number: number,
  isWanted: (path: string) => boolean,
): RecordedRequest | URL | string | undefined {
  const request = isMap(entry) ? entry.request : undefined
  if (!isMap(request)) return 'expected `request`, an object'
  const { method, url: address, headers = [], postData } = request
  if (typeof address !== 'string' || !URL.canParse(address)) return 'expected `request.url`, an absolute URL'
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) return undefined
  const target = targetOf(address)
  if (!isWanted(target.replace(/\?.*/s, ''))) return url
  if (typeof method !== 'string' || !/^[!#$%&'*+.^_`|~\w-]{1,40}$/.test(method))
    return 'expected `request.method`, such as POST'
  const list = withMediaType(pairsIn(headers), postData)
  if (list === undefined) return 'expected `request.headers`, at most 200 objects with `name` and `value`'
  const recorded = bodyOf(postData)
  if (typeof recorded === 'string') return recorded
  const bodySize = Math.max(Number(request.bodySize) || 0, lengthIn(list), 0)
  const isEmpty = recorded === undefined || ('text' in recorded && recorded.text === '')
  const body =
    isEmpty && (bodySize > 0 || isChunked(list)) ? { unread: 'its body is not recorded' } : recorded
  return { entry: number, method, url, target, headers: list, body, bodySize }
}

/** As it is written: a URL object would normalise it. */
function targetOf(url: string): string {
  const rest = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*/s, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** A browser that shows headers "provisionally" has the media type of a form beside its body alone. */
function withMediaType(headers: HeaderList | undefined, postData: Json | undefined): HeaderList | undefined {
  const type = isMap(postData) ? postData.mimeType : undefined
  const isAlone = headers !== undefined && headerValues(headers, 'content-type').length === 0
  return isAlone && typeof type === 'string' && parseMediaType(type)?.essence === FORM
    ? [...headers, ['Content-Type', type]]
    : headers
}

function lengthIn(headers: HeaderList): number {
  return Number(headerValues(headers, 'content-length').find((value) => /^\d{1,15}$/.test(value)) ?? 0)
}

/** Such a request has a body, if perhaps an empty one. */
function isChunked(headers: HeaderList): boolean {
  return headerValues(headers, 'transfer-encoding').length > 0
}

/** @param missing in the place of a value that was not recorded */
function pairsIn(list: Json, missing?: string): HeaderList | undefined {
  if (!Array.isArray(list) || list.length > MAX_PAIRS) return undefined
  const pairs = list.map((item) => {
    const { name, value } = isMap(item) ? item : {}
    const text = value ?? missing
    return typeof name === 'string' && typeof text === 'string' ? ([name, text] as const) : undefined
  })
  const read = pairs.filter((pair) => pair !== undefined)
  const length = read.reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  return read.length === pairs.length && length <= MAX_TEXT ? read : undefined
}

function bodyOf(postData: Json | undefined): RecordedBody | Unread | string | undefined {
  if (postData === undefined || postData === null) return undefined
  if (!isMap(postData)) return 'expected `request.postData`, an object'
  const { encoding } = postData
  const [text, params] = [postData.text ?? '', postData.params ?? []]
  if (typeof text !== 'string' || text.length > MAX_TEXT)
    return `expected \`request.postData.text\`, at most ${MAX_TEXT} characters`
  if (text !== '') return encoding === 'base64' ? decoded(text) : { text }
  const pairs = pairsIn(params, OMITTED)
  if (pairs === undefined)
    return 'expected `request.postData.params`, at most 200 objects with `name` and, as a text, `value`'
  return pairs.length === 0 ? { text } : { pairs }
}

/** @param base64 with lines of any length, as mail has them */
function decoded(base64: string): RecordedBody | Unread {
  const encoded = base64.replace(/\s/g, '')
  if (!BASE64.test(encoded)) return { unread: 'its body is not in base64, as it claims' }
  const body = Buffer.from(encoded, 'base64')
  return isUtf8(body) ? { text: body.toString() } : { unread: 'its body is not text in UTF-8' }
}
