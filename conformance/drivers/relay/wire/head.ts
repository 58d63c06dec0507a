import type { HeaderList } from '../../../../spec/model/report.js'
import { headerValues } from '../../../exchange/headers.js'

/** How the end of a body is found. */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  /** It ends with the connection. */
  | { readonly kind: 'close' }

export interface RequestHead {
  readonly method: string
  readonly target: string
  readonly headers: HeaderList
  readonly framing: Framing
  /** Where the value of `Host` is, in bytes from the head's first. */
  readonly host?: { readonly from: number; readonly to: number }
}

export interface ResponseHead {
  readonly status: number
  readonly headers: HeaderList
  readonly framing: Framing
}

const NO_BODY: Framing = { kind: 'length', bytes: 0 }
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) ((?:\/|\*$)[!-~\x80-\xff]*|\*) HTTP\/1\.([01])$/
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t -~\x80-\xff]*)?$/
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const VALUE = /^[\t -~\x80-\xff]*$/

/**
 * Reads a request's head as RFC 9112 has it, strictly: what two readers may understand differently is read by none.
 * @param text its bytes as characters, without the empty line at its end
 * @returns why it cannot be read, in the other case
 */
export function readRequestHead(text: string): RequestHead | string {
  const [line = '', ...lines] = text.split('\r\n')
  const [, method, target, minor] = REQUEST_LINE.exec(line) ?? []
  if (method === undefined || target === undefined) return 'the first line is not that of a request'
  const headers = readFields(lines)
  if (typeof headers === 'string') return headers
  const hosts = headerValues(headers, 'host')
  if (hosts.length > 1) return 'there is more than one Host'
  if (hosts.length === 0 && minor === '1') return 'there is no Host'
  const framing = framingOf(headers, minor === '1') ?? NO_BODY
  if (typeof framing === 'string') return framing
  const host = placeOfHost(line, lines)
  return { method, target, headers, framing, ...(host === undefined ? {} : { host }) }
}

/** @param method of the request that it answers */
export function readResponseHead(text: string, method: string): ResponseHead | string {
  const [line = '', ...lines] = text.split('\r\n')
  const [, minor, code] = STATUS_LINE.exec(line) ?? []
  if (code === undefined) return 'the first line is not that of a response'
  const headers = readFields(lines)
  if (typeof headers === 'string') return headers
  const status = Number(code)
  const framing = framingOf(headers, minor === '1') ?? { kind: 'close' }
  if (typeof framing === 'string') return framing
  // RFC 9112, section 6.3.
  const isEmpty = method === 'HEAD' || status < 200 || status === 204 || status === 304
  return { status, headers, framing: isEmpty ? NO_BODY : framing }
}

function readFields(lines: readonly string[]): HeaderList | string {
  const headers: [string, string][] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1)
    if (colon < 0 || !NAME.test(line.slice(0, colon)) || !VALUE.test(value))
      return 'a line of its headers is malformed'
    headers.push([line.slice(0, colon), withoutOuterSpace(value)])
  }
  return headers
}

/** RFC 9110, section 5.5: spaces and tabs, and nothing else. By hand: a pattern would take quadratic time. */
function withoutOuterSpace(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(text[from])) from++
  while (to > from && isSpace(text[to - 1])) to--
  return text.slice(from, to)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

/** @returns undefined where no header says it; a text where the headers can be understood in two ways */
function framingOf(headers: HeaderList, knowsChunks: boolean): Framing | string | undefined {
  const lengths = headerValues(headers, 'content-length')
  const codings = headerValues(headers, 'transfer-encoding')
  const [length] = lengths
  const [coding] = codings
  if (lengths.length + codings.length > 1) return 'more than one header says where its body ends'
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'its Transfer-Encoding is not chunked'
  if (coding !== undefined)
    return knowsChunks ? { kind: 'chunked' } : 'it is of HTTP/1.0, which has no chunks'
  if (length === undefined) return undefined
  return /^\d{1,15}$/.test(length)
    ? { kind: 'length', bytes: Number(length) }
    : 'its Content-Length is no number'
}

function placeOfHost(line: string, lines: readonly string[]): RequestHead['host'] {
  let at = line.length + 2
  for (const field of lines) {
    if (/^host:/i.test(field)) {
      const value = withoutOuterSpace(field.slice(5))
      const from = at + field.indexOf(value, 5)
      return { from, to: from + value.length }
    }
    at += field.length + 2
  }
  return undefined
}
