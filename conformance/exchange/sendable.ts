import type { HeaderList } from '../../spec/types.js'
import type { WireRequest } from '../exchange.js'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const requestTarget = /^\/[\x21-\xff]*$/
/** Hop-by-hop fields that would change how the message is framed or answered. */
const refused = new Set(['transfer-encoding', 'upgrade', 'keep-alive', 'expect', 'te', 'trailer'])

/** Why no valid HTTP/1.1 request can carry it, as one sentence; `undefined` when one can. */
export function whyUnsendable(request: WireRequest): string | undefined {
  if (!token.test(request.method) || request.method === 'CONNECT')
    return 'The method is none that can be sent.'
  if (!requestTarget.test(request.path))
    return 'The path does not begin with a slash, or holds white space, control characters or characters beyond U+00FF.'
  return whyHeadersUnsendable(request.headers, request.body?.byteLength ?? 0)
}

/** The same for headers alone; the body's length tells whether a `Content-Length` is a lie. */
export function whyHeadersUnsendable(headers: HeaderList, bodyLength?: number): string | undefined {
  for (const [name, value] of headers) {
    if (!token.test(name)) return 'The name of a header is not a token.'
    if (!fieldValue.test(value))
      return `The header ${name} holds control characters or characters beyond U+00FF.`
    const lower = name.toLowerCase()
    if (refused.has(lower)) return `The header ${name} would change how the message is framed.`
    if (lower === 'content-length' && bodyLength !== undefined && value !== String(bodyLength))
      return 'The Content-Length is not the length of the body.'
  }
  return undefined
}
