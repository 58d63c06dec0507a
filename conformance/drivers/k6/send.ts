import type { HeaderList } from '../../../spec/model/report.js'
import type { Exchange, ExchangeFailure, WireRequest, WireResponse } from '../../exchange/exchange.js'
import type { K6Http, K6Response } from './k6.js'

/** Bytes: a longer body is cut where `token-assay run` cuts it, and not judged. */
const MAX_BODY = 1024 * 1024

/** What k6 says of an answer that did not come, but for what the service sent: that may hold the password. */
const REASON =
  /connection refused|connection reset|no such host|request timeout|certificate|tls:|unexpected EOF|\bEOF\b|malformed|bad Content-Length|Location header/

export interface K6SendOptions {
  readonly timeoutMs: number
  /** By which k6 counts requests together. */
  readonly tags: Readonly<Record<string, string>>
}

/** Sends a request over k6's client. Its path is the whole URL. Never throws for what the service does. */
export function send(http: K6Http, request: WireRequest, { timeoutMs, tags }: K6SendOptions): Exchange {
  const { method, path, headers, body } = request
  const startedAt = Date.now()
  // k6 sends an empty text in chunks, and null with `Content-Length: 0`, as `token-assay run` does.
  const params = {
    headers: Object.fromEntries(headers),
    // Each request is one of its own: no cookie of an earlier answer, no redirect, no grouping by URL.
    jar: new http.CookieJar(),
    redirects: 0,
    // A refusal is an answer, not a failed request.
    responseCallback: http.expectedStatuses({ min: 200, max: 499 }),
    // As text, what is no UTF-8 would be lost.
    responseType: 'binary',
    tags,
    timeout: timeoutMs,
    // Otherwise k6 prints what was wrong with the answer, as the service sent it.
    throw: true,
  }
  const bytes = body?.length ? new Uint8Array(body).buffer : null
  const answer = answerOf(() => http.request(method, path, bytes, params))
  const receivedAt = Date.now()
  const response = typeof answer === 'string' ? undefined : responseOf(answer)
  const failure = response === undefined ? incomplete(String(answer)) : failureOf(response)
  return {
    request,
    ...(failure === undefined && response !== undefined ? { response } : {}),
    ...(failure === undefined ? {} : { failure }),
    startedAt,
    receivedAt,
    durationMs: receivedAt - startedAt,
  }
}

/** @returns the answer, or why none came */
function answerOf(request: () => K6Response): K6Response | string {
  try {
    return request()
  } catch (error) {
    const reason = REASON.exec(String(error))?.[0]
    return reason === undefined ? 'no answer came' : `no answer came: ${reason}`
  }
}

function incomplete(message: string): ExchangeFailure {
  return { kind: 'incomplete', message }
}

function responseOf(received: K6Response): WireResponse {
  const bytes = new Uint8Array(received.body ?? new ArrayBuffer(0))
  return {
    status: received.status,
    headers: headersOf(received),
    body: bytes.subarray(0, MAX_BODY),
    truncated: bytes.length > MAX_BODY,
  }
}

/** k6 joins the values of a header that came several times. Two that are the same are one, as `token-assay run` has it. */
function headersOf({ headers }: K6Response): HeaderList {
  return Object.entries(headers).map(([name, value]) => {
    const half = value.slice(0, (value.length - 2) / 2)
    return [name, value === `${half}, ${half}` ? half : value]
  })
}

function failureOf({ status, headers }: WireResponse): ExchangeFailure | undefined {
  if (status === 0) return incomplete('no answer came')
  const asksToWait = headers.some(([name]) => name.toLowerCase() === 'retry-after')
  const isBusy = status === 429 || (status === 503 && asksToWait)
  return isBusy ? { kind: 'rate-limited', message: `the service is busy (${status})` } : undefined
}
