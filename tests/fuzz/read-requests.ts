import { METHODS } from 'node:http'
import { type Head, readHead } from './read-head.js'

/** A request that is complete in a stream of bytes. All texts are bytes, one a character. */
export interface WireRequest {
  readonly method: string
  /** Without its query, and without scheme and authority. */
  readonly path: string
  readonly contentTypes: readonly string[]
  readonly body: string
  /** The body is longer than the limit, or said to be. */
  readonly bodyTooLong: boolean
  /** RFC 9112 lets a server answer it or turn it away. */
  readonly maybe: boolean
  /** Whether it is the last of its connection. */
  readonly closes: boolean
}

export interface WireStream {
  readonly requests: readonly WireRequest[]
  /** Something comes after them that is not a whole request. */
  readonly ragged: boolean
}

/** Reads a stream as RFC 9112 tells a strict server to; independent of Node's parser and of the server. */
export function readRequests(bytes: string, bodyLimit: number): WireStream {
  const requests: WireRequest[] = []
  let rest = bytes
  for (;;) {
    const blank = /^[\r\n]*/.exec(rest)?.[0] ?? ''
    rest = rest.slice(blank.length)
    if (rest === '') return { requests, ragged: false }
    const read = readRequest(rest, bodyLimit)
    if (read === undefined) return { requests, ragged: true }
    // 2.2: at least one empty line before a request is to be ignored.
    requests.push({ ...read.request, maybe: read.request.maybe || !/^(\r\n)?$/.test(blank) })
    if (read.request.closes) return { requests, ragged: false }
    rest = read.rest
  }
}

function readRequest(
  bytes: string,
  bodyLimit: number,
): { readonly request: WireRequest; readonly rest: string } | undefined {
  const head = readHead(bytes)
  if (head === undefined || !METHODS.includes(head.method) || head.method === 'CONNECT') return undefined
  const framed = readBody(head, bytes.slice(head.length), bodyLimit)
  if (framed === undefined) return undefined
  const local = head.target.replace(/^https?:\/\/[^/?]*/i, '')
  const request = {
    method: head.method,
    path: local.split('?', 1)[0] ?? '',
    contentTypes: head.valuesOf('content-type'),
    body: framed.tooLong ? '' : framed.body,
    bodyTooLong: framed.tooLong,
    maybe: head.maybe || framed.maybe,
    closes: framed.tooLong || closes(head),
  }
  return { request, rest: framed.rest }
}

function closes(head: Head): boolean {
  if (head.valuesOf('upgrade').length > 0) return true
  const options = head.valuesOf('connection').flatMap((value) => value.toLowerCase().split(/[ \t]*,[ \t]*/))
  return options.includes('close') || (head.version === '1.0' && !options.includes('keep-alive'))
}

interface Framed {
  readonly body: string
  readonly tooLong: boolean
  readonly maybe: boolean
  readonly rest: string
}

/** `undefined`: it is not framed as RFC 9112 6 asks, or not whole. */
function readBody(head: Head, bytes: string, limit: number): Framed | undefined {
  const lengths = head.valuesOf('content-length')
  const codings = head.valuesOf('transfer-encoding')
  if (codings.length + lengths.length > 1) return undefined
  if (codings.length === 1) {
    return codings[0]?.toLowerCase() === 'chunked' && head.version === '1.1'
      ? readChunks(bytes, limit)
      : undefined
  }
  const length = lengths[0] ?? '0'
  if (!/^\d{1,15}$/.test(length)) return undefined
  const tooLong = Number(length) > limit
  if (!tooLong && bytes.length < Number(length)) return undefined
  return { body: bytes.slice(0, Number(length)), tooLong, maybe: false, rest: bytes.slice(Number(length)) }
}

const extension = /^(?:;\w+(?:=(?:\w+|"[\w ]*"))?)*$/

function readChunks(bytes: string, limit: number): Framed | undefined {
  let rest = bytes
  let body = ''
  let maybe = false
  for (;;) {
    const [line, size, extensions = ''] = /^([\dA-Fa-f]{1,12})([^\r\n]*)\r\n/.exec(rest) ?? []
    if (line === undefined || size === undefined) return undefined
    if (!extension.test(extensions) || extensions.length > 1000) {
      // No extension at all, or one that need not be understood.
      if (!extensions.startsWith(';') || /[\0-\x08\x0a-\x1f\x7f]/.test(extensions)) return undefined
      maybe = true
    }
    const length = Number.parseInt(size, 16)
    rest = rest.slice(line.length)
    if (length === 0) break
    body += rest.slice(0, length)
    // What comes later may be known already to be wrong.
    if (body.length > limit) return { body: '', tooLong: true, maybe: true, rest: '' }
    if (rest.slice(length, length + 2) !== '\r\n') return undefined
    rest = rest.slice(length + 2)
  }
  const trailer = /^(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/.exec(rest)?.[0]
  // 6.5.1: what frames a message may not come after it.
  if (trailer === undefined || /^(?:content-length|transfer-encoding):/im.test(trailer)) return undefined
  return { body, tooLong: false, maybe: maybe || trailer.length > 8000, rest: rest.slice(trailer.length) }
}
