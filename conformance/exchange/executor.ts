import type { HeaderList } from '../../spec/types.js'
import type { Tls } from '../deployment.js'
import type { Exchange, WireRequest } from '../exchange.js'
import type { Clock } from './clock.js'
import type { Semaphore } from './semaphore.js'

/** The only way to a deployment. */
export interface Executor {
  /** Never throws or rejects; a failure is a value. */
  send(request: WireRequest, options?: SendOptions): Promise<Exchange>
  /** The deployment has stopped answering: nothing is sent any more. */
  readonly silent: boolean
  /** Stops what is on its way and leaves no socket or timer behind. */
  close(): Promise<void>
}

export interface SendOptions {
  /** Use a connection that has carried nothing yet. */
  readonly freshConnection?: boolean
  /** Send again after 429, 503 with `Retry-After`, and a closed re-used connection. Default true. */
  readonly resend?: boolean
}

export interface ExecutorOptions {
  /** Scheme, host and port. */
  readonly origin: string
  readonly tls?: Tls
  /** For one exchange, all of it; waiting for its turn is not counted. */
  readonly timeoutMs: number
  readonly maxRequestsPerSecond?: number
  /** Sent with every request, before the request's own. */
  readonly headers: HeaderList
  /** Exchanges in flight, shared over the whole run. */
  readonly limit: Semaphore
  /** The run is stopped. */
  readonly signal: AbortSignal
  /** What to ask when the deployment seems silent. Default: the request that timed out last. */
  readonly probe?: WireRequest
  /** Longest decoded body that is kept. Default 1 MiB. */
  readonly maxBodyBytes?: number
  /** What pacing and back-off go by. */
  readonly clock?: Clock
}
