import type { HeaderList } from '../../spec/model/report.js'

/** One HTTP request as its bytes will be. */
export interface WireRequest {
  readonly method: string
  /** Path and query, the base URL's own path included: sent untouched. */
  readonly path: string
  /** Spelling, order and duplicates are kept; nothing is added but `Host`, `Connection` and `Content-Length`. */
  readonly headers: HeaderList
  /** How many of the headers, the last of them, are trailers: they came after the body. */
  readonly trailers?: number
  readonly body?: Uint8Array
  /** The body is longer than what the driver keeps, and left out. */
  readonly truncated?: true
  /** The connection ended before all of it had come. */
  readonly incomplete?: true
}

export interface WireResponse {
  readonly status: number
  /** As they came: spelling, order and duplicates kept. */
  readonly headers: HeaderList
  /** The body with its `Content-Encoding` undone. */
  readonly body: Uint8Array
  /** The decoded body was longer than the limit and is cut. */
  readonly truncated: boolean
}

export type FailureKind =
  | 'timeout' // no complete answer within `timeoutMs`
  | 'refused' // no one listens, or the name does not resolve
  | 'tls' // the TLS handshake or certificate was refused
  | 'reset' // the connection ended before the first byte of an answer
  | 'incomplete' // the connection ended inside an answer, or its length is a lie
  | 'protocol' // what came is not HTTP/1.1
  | 'encoding' // the Content-Encoding is unknown or its bytes are broken
  | 'rate-limited' // still 429, or 503 with Retry-After, after the last re-send
  | 'silent' // not sent: the deployment had stopped answering
  | 'stopped' // the run was stopped
  | 'abandoned' // the client went away, or the relay was stopped: nothing is known of the service
  | 'late' // sent on a connection that the service had closed before: nothing is known of the service
  | 'unsendable' // not sent: no valid HTTP request can carry it

export interface ExchangeFailure {
  readonly kind: FailureKind
  /** One sentence for a person, without addresses of memory or stacks. */
  readonly message: string
}

/**
 * What went over the wire once, or why nothing came back: what every driver yields, besides an `UnreadPiece`. A failure is a value, never thrown.
 * An answer whose `Content-Encoding` cannot be undone may come with its failure, and without its body.
 */
export interface Exchange {
  readonly request: WireRequest
  readonly response?: WireResponse
  readonly failure?: ExchangeFailure
  /** Local clock, milliseconds since the epoch: when the last sending began, and when the answer was complete. */
  readonly startedAt: number
  readonly receivedAt: number
  /** The local clock was set while this program ran: it tells nothing of another clock. */
  readonly isClockSet?: true
  /** Milliseconds from the last sending to the end of the answer. */
  readonly durationMs: number
  /** It was sent once, on a used connection that ended before the first byte of an answer: the service may have got it. */
  readonly lost?: true
  /** Why what passes on it proves nothing: the service has sent bytes that belong to no answer. */
  readonly unread?: string
  /** How often it was sent again, and why. */
  readonly resent?: { readonly times: number; readonly why: string }
  /** On the wire, of both messages, where a driver counts: heads, framing and interim answers included. */
  readonly bytes?: { readonly sent: number; readonly received: number }
}

/** What a driver saw go by and could not make an exchange of. */
export interface UnreadPiece {
  readonly from: 'client' | 'service'
  readonly bytes: number
  /** Why it is in no exchange; absent: only empty lines between messages, which say nothing (RFC 9112, section 2.2). */
  readonly why?: string
}
