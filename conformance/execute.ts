import { Client } from 'undici'
import type { HeaderList } from '../spec/types.js'
import type { Tls } from './deployment.js'
import { type Clock, systemClock } from './exchange/clock.js'
import type { ConnectionOptions } from './exchange/connection.js'
import { failure } from './exchange/failures.js'
import { Gate } from './exchange/gate.js'
import { Pace } from './exchange/pace.js'
import { asksToRetry, backOffMs } from './exchange/retry-after.js'
import type { Semaphore } from './exchange/semaphore.js'
import { whyHeadersUnsendable, whyUnsendable } from './exchange/sendable.js'
import { Sender, type Sending } from './exchange/sending.js'
import { Silence } from './exchange/silence.js'
import type { Exchange, ExchangeFailure, WireRequest } from './exchange.js'

export type { Clock } from './exchange/clock.js'
export { Semaphore } from './exchange/semaphore.js'

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

export interface SendOptions {
  /** Use a connection that has carried nothing yet. */
  readonly freshConnection?: boolean
  /** Send again after 429, 503 with `Retry-After`, and a closed re-used connection. Default true. */
  readonly resend?: boolean
}

export interface Executor {
  /** Never throws or rejects; a failure is a value. */
  send(request: WireRequest, options?: SendOptions): Promise<Exchange>
  /** The deployment has stopped answering: nothing is sent any more. */
  readonly silent: boolean
  /** Stops what is on its way and leaves no socket or timer behind. */
  close(): Promise<void>
}

const defaultMaxBodyBytes = 1024 * 1024
const mostRetries = 5
const stoppedMessage = 'The run was stopped.'
const silentMessage = 'It was not sent: the deployment had stopped answering.'

/** The only way to a deployment: one executor for each, and one limit of exchanges in flight over all. */
export function createExecutor(options: ExecutorOptions): Executor {
  return new HttpExecutor(options)
}

class HttpExecutor implements Executor {
  readonly #options: ExecutorOptions
  readonly #clock: Clock
  readonly #pace: Pace
  readonly #gate: Gate
  readonly #silence = new Silence()
  readonly #sender: Sender
  readonly #headersFault: string | undefined
  readonly #stop = () => this.#stopAll()
  #stopped = false
  #backOffs = 0

  constructor(options: ExecutorOptions) {
    const { headers, limit, signal } = options
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#pace = new Pace(options.maxRequestsPerSecond)
    this.#gate = new Gate(limit, this.#pace, this.#clock)
    this.#sender = new Sender(connectionOptions(options), limit.width, headers)
    this.#headersFault = whyHeadersUnsendable(headers)
    if (signal.aborted) this.#stopped = true
    else signal.addEventListener('abort', this.#stop)
  }

  get silent(): boolean {
    return this.#silence.silent
  }

  async send(request: WireRequest, options?: SendOptions): Promise<Exchange> {
    const fault = this.#headersFault ?? whyUnsendable(request)
    if (fault !== undefined) return unsent(request, failure('unsendable', fault))
    const resend = options?.resend ?? true
    const freshConnection = options?.freshConnection ?? false
    let retries = 0
    let fresh = freshConnection
    let resent: Exchange['resent']
    for (;;) {
      const sending = await this.#sendInTurn(request, fresh)
      const again = this.#reasonToResend(sending, retries + 1)
      if (again === undefined || !resend || (again === closedOnReuse && freshConnection))
        return exchangeOf(sending, resent)
      if (again === closedOnReuse) fresh = true
      else if (retries === mostRetries) return exchangeOf({ ...sending, failure: rateLimited }, resent)
      else retries++
      resent = sentAgain(resent, again)
    }
  }

  async close(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#stop)
    this.#stopAll()
    await this.#sender.ended()
  }

  async #sendInTurn(request: WireRequest, fresh: boolean): Promise<Sending> {
    const turn = this.#gate.enter()
    const entered = turn === true || (await turn)
    const bar = this.#bar()
    if (bar !== undefined) {
      if (entered) this.#gate.leave()
      return unsent(request, bar)
    }
    const sending = await this.#sender.send(request, fresh)
    // The probe uses the slot of the exchange that gave rise to it.
    if (this.#silence.probeDue(sending.failure)) await this.#probe(request)
    this.#gate.leave()
    return sending
  }

  /** Why nothing is sent any more. */
  #bar(): ExchangeFailure | undefined {
    if (this.#stopped) return failure('stopped', stoppedMessage)
    return this.silent ? failure('silent', silentMessage) : undefined
  }

  async #probe(request: WireRequest): Promise<void> {
    this.#gate.hold()
    const { failure } = await this.#sender.send(this.#options.probe ?? request, true)
    this.#silence.probed(failure)
    if (this.silent) this.#gate.turnAway()
    this.#gate.open()
  }

  /** Why the same should be sent again, after this executor has taken note of how long to wait. */
  #reasonToResend(sending: Sending, attempt: number): string | undefined {
    const { response, startedAt } = sending
    if (response === undefined)
      return sending.failure?.kind === 'reset' && sending.reused ? closedOnReuse : undefined
    const now = this.#clock.now()
    if (!asksToRetry(response)) {
      this.#pace.answered(now)
      return undefined
    }
    if (response.status === 429) this.#pace.learn(now, startedAt)
    this.#pace.pauseUntil(now + backOffMs(response, attempt, this.#backOffs++, now))
    return `the answer was ${response.status}`
  }

  #stopAll(): void {
    this.#stopped = true
    this.#gate.turnAway()
    this.#sender.stop(stoppedMessage)
  }
}

const closedOnReuse = 'the re-used connection was closed'
const rateLimited = failure('rate-limited', `It was still asked to wait after ${mostRetries} more sendings.`)

function connectionOptions(options: ExecutorOptions): ConnectionOptions {
  const { origin, tls, timeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options
  return {
    // Its own time-outs are coarse; every exchange has a deadline of ours, which ends the connection.
    transport: (connect) => new Client(origin, { connect, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }),
    ...(tls === undefined ? {} : { tls }),
    secure: origin.startsWith('https:'),
    timeoutMs,
    maxBodyBytes,
  }
}

function unsent(request: WireRequest, failure: ExchangeFailure): Sending {
  const now = Date.now()
  return { request, failure, startedAt: now, receivedAt: now, durationMs: 0, reused: false }
}

function exchangeOf({ reused, ...exchange }: Sending, resent: Exchange['resent']): Exchange {
  return resent === undefined ? exchange : { ...exchange, resent }
}

function sentAgain(before: Exchange['resent'], reason: string): Exchange['resent'] {
  if (before === undefined) return { times: 1, why: reason }
  const why = before.why.includes(reason) ? before.why : `${before.why}; ${reason}`
  return { times: before.times + 1, why }
}
