import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** A request without its socket. */
export interface ReceivedRequest {
  readonly method: string
  /** Raw: neither decoded nor normalised. */
  readonly path: string
  /** Raw, without its `?`; nothing in the specified service reads it. */
  readonly query: string
  /** All `Content-Type` lines, joined by commas: two of them are no media type. */
  readonly contentType: string | undefined
  /** As Node joins them; names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** What followed the chunks of its body; nothing in the specified service reads them. */
  readonly trailers?: NodeJS.Dict<string>
  /** As they were spelled; nothing in the specified service reads them. */
  readonly headerNames: readonly string[]
  /** The connection that it came on: each has a number of its own. Nothing in the specified service reads it. */
  readonly connection: number
  /** Empty when it was too long. */
  readonly body: Uint8Array
  readonly bodyTooLong: boolean
}

/** The header that names a scope, in lower case. */
export const scopeHeader = 'token-assay-scope'

/** Whether a browser asks for leave to send what is meant (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

const nothing = new Uint8Array()

/**
 * Reads a request with at most `limitBytes` of body. What is longer is left unread, for the connection to end.
 * `undefined`: the client went away before the end of its request.
 */
export async function receiveRequest(
  message: IncomingMessage,
  limitBytes: number,
): Promise<ReceivedRequest | undefined> {
  const body = await readBody(message, limitBytes)
  if (body === 'aborted') return undefined
  const target = splitTarget(message.url ?? '')
  return {
    method: message.method ?? '',
    ...target,
    headers: message.headers,
    trailers: message.trailers,
    headerNames: message.rawHeaders.filter((_, index) => index % 2 === 0),
    contentType: contentTypeOf(message.rawHeaders),
    connection: numberOf(message.socket),
    body: body === 'too-long' ? nothing : body,
    bodyTooLong: body === 'too-long',
  }
}

const connections = new WeakMap<object, number>()
let connected = 0

function numberOf(socket: object): number {
  const number = connections.get(socket) ?? connected++
  connections.set(socket, number)
  return number
}

/** Node keeps the first line of it alone in `headers`; `headersDistinct` copies every header for this one. */
function contentTypeOf(rawHeaders: readonly string[]): string | undefined {
  const lines = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'content-type',
  )
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** The length that the headers announce is over the limit: the body need not be asked for. */
export function announcesTooMuch(message: IncomingMessage, limitBytes: number): boolean {
  return Number(message.headers['content-length'] ?? 0) > limitBytes
}

function readBody(
  message: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | 'too-long' | 'aborted'> {
  if (announcesTooMuch(message, limitBytes)) return Promise.resolve('too-long')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limitBytes) {
        chunks.push(chunk)
        return
      }
      message.off('data', onData).pause()
      resolve('too-long')
    }
    message
      .on('data', onData)
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('close', () => resolve('aborted'))
  })
}

/** Splits a request target; of the absolute form (RFC 9112 3.2.2) scheme and authority are dropped. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}
