import type { Json } from '../../spec/model/json.js'

/** What goes wrong on purpose. */
export type FaultEffect =
  /** This answer in place of the service's, which does nothing. A body that is no text is sent as JSON. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: Json
    }
  /**
   * The answer leaves later, by `ms` and up to `jitterMs` more; at once where the client ends its side. Removing the fault
   * hastens no answer that it delays already.
   */
  | { readonly kind: 'delay'; readonly ms: number; readonly jitterMs?: number }
  /** The connection ends without an answer: orderly, or with `reset` at once. What was asked for has been done. */
  | { readonly kind: 'drop'; readonly reset?: boolean }
  /** The connection ends within the body, of which `bytes` arrive. Default: half of it. */
  | { readonly kind: 'truncate'; readonly bytes?: number }
  /** A whole answer whose JSON lacks its last character. */
  | { readonly kind: 'malformed-json' }
  /** The body arrives in pieces. Default: a byte every 100 ms. */
  | { readonly kind: 'drip'; readonly bytes?: number; readonly everyMs?: number }

/** Which requests; all that is said must be true. A CORS preflight is met only where `method` is `OPTIONS`. */
export interface FaultMatch {
  readonly method?: string
  /** Raw; `*` stands for any characters. */
  readonly path?: string
  /** The form's. */
  readonly grantType?: string
  readonly userName?: string
}

/** Something that goes wrong with some requests. */
export type Fault = FaultEffect & {
  /** Default: every request. */
  readonly match?: FaultMatch
  /** For so many requests, then never again. Default: until it is removed. */
  readonly times?: number
  /** So many matching requests are let through first. Default 0. */
  readonly after?: number
}

/** A fault that has been added. */
export type ActiveFault = Fault & {
  readonly id: string
  /** How many requests it has met. */
  readonly hits: number
}
