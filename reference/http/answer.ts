import type { HeaderList } from '../../spec/model/report.js'

/** What the service answers, before it meets a socket. `Date` and the framing are added on the way out. */
export interface Answer {
  readonly status: number
  /** In this order and spelling on the wire. */
  readonly headers: HeaderList
  readonly body: string | Uint8Array
}

/**
 * How an answer leaves. The specified service only ever uses the plain `answer`; the rest is there for faults, and for
 * variants that misbehave below HTTP, which no header or body can express.
 */
export type Delivery = Manner & {
  /** Before anything is sent. */
  readonly delayMs?: number
}

type Manner =
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      /** Default `length`: `Content-Length`. */
      readonly framing?: 'length' | 'chunked'
      /** Ends the connection after the answer without having announced it. */
      readonly hangUp?: boolean
      /** Ends the connection after so many bytes of the body, though more are announced. */
      readonly cutAfterBytes?: number
      /** Sends the body in small pieces. */
      readonly drip?: Drip
    }
  /** These bytes instead of an HTTP answer, then the end of the connection. */
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  /** Never an answer: the connection stays open and silent. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' }

export interface Drip {
  readonly bytes: number
  readonly everyMs: number
  /** What is left by then is sent at once. Default: never. */
  readonly withinMs?: number
}
