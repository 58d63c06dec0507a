import type { HeaderList } from '../../spec/model/report.js'
import type { Exchange } from './exchange.js'
import { headerValues } from './headers.js'

/** The request of an exchange, in the parts that judges ask about. */
export interface HttpRequest {
  readonly method: string
  /** Raw: neither decoded nor normalised. */
  readonly path: string
  /** Raw, without its `?`. */
  readonly query: string
  /** All `Content-Type` lines, joined by commas: two of them are no media type. */
  readonly contentType: string | undefined
  readonly headers: HeaderList
  /** How many of them, the last, came after the body. */
  readonly trailers: number
  /** Empty where there is none, or where it was not kept. */
  readonly body: Uint8Array
  readonly isBodyKept: boolean
}

export function requestOf({ request }: Pick<Exchange, 'request'>): HttpRequest {
  const { method, path: target, headers, trailers = 0, body = new Uint8Array(), truncated } = request
  const mark = target.indexOf('?')
  const types = headerValues(headers, 'content-type')
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    contentType: types.length === 0 ? undefined : types.join(', '),
    headers,
    trailers,
    body,
    isBodyKept: truncated !== true,
  }
}
