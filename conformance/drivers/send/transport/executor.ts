import { setMaxListeners } from 'node:events'
import { ASKED_TO_WAIT, STOPPED_ANSWERING } from '../../../../spec/model/report.js'
import type { Exchange, ExchangeFailure, WireRequest, WireResponse } from '../../../exchange/exchange.js'
import type { Place } from './barrier.js'
import type { ConnectionOptions, ExchangeResult } from './connection.js'
import { explainUnsendable, explainUnsendableHeaders, failure, unsent } from './failures.js'
import { ConnectionPool, type Sharing } from './pool.js'
import { RequestQueue, type Semaphore, type Urgency } from './request-queue.js'
import { asksToRetry, type MonotonicClock, type Pause, systemClock, Throttle } from './throttle.js'
import { CircuitBreaker, type TroubleCount, TroubleCounter } from './trouble.js'

const defaultMaxBodyBytes = 1024 * 1024
const maxRetries = 5
/** A connection that was used so lately hardly ever ends before it is used again. */
const MAX_IDLE_MS = 1000
const connectionClosed = 'the re-used connection was closed'
const STRAY =
  'Bytes that belong to no answer came before, while no request was open: which answer belongs to which request is not certain.'
const stopped = failure('stopped', 'The run was stopped.')
const silent = failure('silent', `Not sent: ${STOPPED_ANSWERING}.`)

/** The only way to a deployment. */
export interface Executor {
  /** Never throws or rejects; a failure is a value. */
  send(request: WireRequest, options?: SendOptions): Promise<Exchange>
  /** The deployment has stopped answering: nothing is sent any more. */
  readonly silent: boolean
  readonly trouble: TroubleCount
  /** Milliseconds for which answers that ask to wait have kept requests back. */
  readonly waitedMs: number
  /** While logins are to fail: how many did so far. What then asks to wait limits these, where nothing asked before. */
  failedLogins: (() => number) | undefined
  /** The same request is sent again after a 503 that does not ask for it: later, and with fewer at the same time. */
  ease(attempt: number): void
  /** What came of that. */
  learnEased(recurred: boolean): void
  /** Stops every exchange under way and leaves no socket or timer behind. */
  close(): Promise<void>
}

export interface SendOptions {
  /** Use a connection that has carried nothing yet. */
  readonly freshConnection?: boolean
  /** Send again after 429, 503 with `Retry-After`, and a closed re-used connection. Default true. */
  readonly resend?: boolean
  /** An answer that asks to send it later is returned: it is good for one try. */
  readonly isOneTime?: boolean
  /**
   * After a closed re-used connection it is not sent again: the exchange is `lost`. Only a connection that was used a
   * moment ago is used again for it, and none after the first that was lost.
   */
  readonly once?: boolean
  /** Holds back the last byte of the body until the others of a race have come so far. Sent as with `once`. */
  readonly place?: Place
  /** Default `usual`; with a place it is `race`. */
  readonly urgency?: Urgency
  /** The other exchanges that use its connection. Default: any. */
  readonly sharing?: Sharing | undefined
}

/** `timeoutMs` does not count the time in the queue. */
export interface ExecutorOptions extends Omit<ConnectionOptions, 'maxBodyBytes'> {
  readonly maxRequestsPerSecond?: number
  /** Exchanges in flight, shared over the whole run. */
  readonly limit: Semaphore
  /** The run is stopped. */
  readonly signal: AbortSignal
  /** What to ask when the deployment seems silent. Default: the request that timed out last. */
  readonly probe?: WireRequest
  /** Longest decoded body that is kept. Default 1 MiB. */
  readonly maxBodyBytes?: number
  /** Called when requests are kept back because an answer asked for it. */
  readonly onWait?: (wait: Wait) => void
  /** Called for each request that was sent. */
  readonly onRequest?: () => void
  /** Called for each exchange whose time is compared with that of others, which are logins. */
  readonly onTimed?: (durationMs: number) => void
  /** For the throttle and the back-off. */
  readonly clock?: MonotonicClock
}

/** Requests are kept back for so long, because an answer of that status asked for it. */
export interface Wait {
  readonly waitMs: number
  readonly status: number
  /** Where it is these that are limited: so many there were. */
  readonly failedLogins?: number | undefined
}

/** One executor for each deployment, with one limit of exchanges in flight over all. */
export function createExecutor(options: ExecutorOptions): Executor {
  return new HttpExecutor(options)
}

class HttpExecutor implements Executor {
  readonly #clock: MonotonicClock
  readonly #probeRequest: WireRequest | undefined
  readonly #signal: AbortSignal
  readonly #headersProblem: string | undefined
  readonly #throttle: Throttle
  readonly #queue: RequestQueue
  readonly #pool: ConnectionPool
  readonly #breaker = new CircuitBreaker()
  readonly #onWait: ExecutorOptions['onWait']
  readonly #onRequest: ExecutorOptions['onRequest']
  readonly #onTimed: ExecutorOptions['onTimed']
  readonly trouble = new TroubleCounter()
  failedLogins: (() => number) | undefined
  #stopped = false
  #timedPath: string | undefined
  /** Bytes came while no answer was awaited. */
  #hasStray = false
  /** The service ends connections after an answer without a word: what is sent once would be lost on used ones. */
  #endsSilently = false

  constructor(options: ExecutorOptions) {
    const { clock = systemClock, limit, maxBodyBytes = defaultMaxBodyBytes, signal } = options
    this.#clock = clock
    this.#probeRequest = options.probe
    this.#signal = signal
    this.#onWait = options.onWait
    this.#onRequest = options.onRequest
    this.#onTimed = options.onTimed
    this.#headersProblem = explainUnsendableHeaders(options.headers)
    this.#throttle = new Throttle(options.maxRequestsPerSecond)
    this.#queue = new RequestQueue(limit, this.#throttle, clock)
    const onStray = (): void => {
      this.#hasStray = true
    }
    this.#pool = new ConnectionPool({ ...options, maxBodyBytes, onStray }, limit.width)
    // One listener for each deployment is no leak.
    setMaxListeners(0, signal)
    if (signal.aborted) this.#stop()
    else signal.addEventListener('abort', this.#stop)
  }

  get silent(): boolean {
    return this.#breaker.open
  }

  get waitedMs(): number {
    return this.#throttle.waitedMs
  }

  ease(attempt: number): void {
    const now = this.#clock.now()
    if (this.#throttle.ease(attempt, now)) this.#queue.concurrency.lower(now)
  }

  learnEased(recurred: boolean): void {
    this.#throttle.learnEased(recurred, this.#clock.now())
  }

  async send(request: WireRequest, options: SendOptions = {}): Promise<Exchange> {
    const problem = this.#headersProblem ?? explainUnsendable(request)
    if (problem !== undefined) return unsent(request, failure('unsendable', problem))
    const { resend = true, isOneTime = false, freshConnection = false, place, sharing } = options
    const { once = place !== undefined } = options
    const urgency = place === undefined ? options.urgency : 'race'
    let fresh = freshConnection || (once && this.#endsSilently)
    let retries = 0
    let resent: Exchange['resent']
    for (;;) {
      const maxIdleMs = fresh ? 0 : once ? MAX_IDLE_MS : Number.POSITIVE_INFINITY
      // After a stop, a queue that is waiting for its time would wait on.
      const turn = this.#stopped ? false : this.#queue.enter(urgency)
      const barred = this.#barred(turn === true || (await turn))
      if (barred !== undefined)
        return { ...unsent(request, barred), ...(resent === undefined ? {} : { resent }) }
      const about = { attempt: retries + 1, lessons: this.#throttle.lessons }
      const { inFlight } = this.#queue.concurrency
      const result = await this.#ask(request, maxIdleMs, { place, sharing })
      if (place === undefined) this.#time(result.exchange, inFlight)
      const tooLong = await this.#settle(result, about, inFlight > 1)
      if (tooLong !== undefined) return { ...result.exchange, failure: failure('rate-limited', tooLong) }
      const reason = resend ? reasonToResend(result) : undefined
      const exchange = resent === undefined ? result.exchange : { ...result.exchange, resent }
      if (reason === undefined || (isOneTime && reason !== connectionClosed)) return exchange
      if (reason === connectionClosed) {
        if (once) {
          this.#endsSilently = true
          return { ...exchange, lost: true }
        }
        fresh = true
      } else if (retries++ === maxRetries)
        return {
          ...exchange,
          failure: failure('rate-limited', this.#explainLimit(`again after ${maxRetries} retries`)),
        }
      resent = sentAgain(resent, reason)
    }
  }

  async #ask(
    request: WireRequest,
    maxIdleMs: number,
    { place, sharing }: { readonly place: Place | undefined; readonly sharing: Sharing | undefined },
  ): Promise<ExchangeResult> {
    const { exchange, reused } = await this.#pool.lend(maxIdleMs, sharing).send(request, place)
    return { exchange: this.#hasStray ? { unread: STRAY, ...exchange } : exchange, reused }
  }

  close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop)
    this.#stop()
    return this.#pool.ended()
  }

  /** A request that waited, or was rejected, may find that nothing is sent any more. */
  #barred(entered: boolean): ExchangeFailure | undefined {
    const barred = this.#stopped ? stopped : this.silent ? silent : undefined
    if (barred !== undefined && entered) this.#queue.leave()
    return barred
  }

  /** Only what is alike is compared: what was done at the path of the first that was, which is the login at the start. */
  #time({ request, response, durationMs }: Exchange, inFlight: number): void {
    const isGood = response !== undefined && response.status >= 200 && response.status <= 299
    if (isGood) this.#timedPath ??= request.path
    const { concurrency } = this.#queue
    if (isGood && request.path === this.#timedPath) {
      concurrency.answered(inFlight, durationMs, this.#clock.now())
      this.#onTimed?.(durationMs)
    } else concurrency.other(this.#clock.now())
  }

  /** Learns from an exchange and ends its turn. @returns why the run does not wait for as long as the answer asks to */
  async #settle(
    { exchange }: ExchangeResult,
    about: Parameters<Throttle['learn']>[1],
    several: boolean,
  ): Promise<string | undefined> {
    const { request, response, failure } = exchange
    this.trouble.add(exchange, this.failedLogins?.())
    this.#onRequest?.()
    const pause = response && this.#learn(response, about, several)
    // The probe uses the slot of the exchange that gave rise to it.
    if (this.#breaker.probeDue(failure)) await this.#probe(request)
    this.#queue.leave()
    return pause?.tooLong === undefined ? undefined : this.#explainTooLong(pause)
  }

  #learn(
    response: WireResponse,
    about: Parameters<Throttle['learn']>[1],
    several: boolean,
  ): Pause | undefined {
    const now = this.#clock.now()
    const pause = this.#throttle.learn(response, about, now)
    if (pause === undefined) return undefined
    if (response.status === 503 && several) this.#queue.concurrency.lower(now)
    if (pause.tooLong === undefined) {
      const { limitedAfterFailedLogins: failedLogins } = this.trouble
      this.#onWait?.({ waitMs: pause.waitMs, status: response.status, failedLogins })
    }
    return pause
  }

  #explainTooLong({ waitMs, tooLong }: Pause): string {
    return this.#explainLimit(`${Math.ceil(waitMs / 1000)} s, ${tooLong}`)
  }

  #explainLimit(how: string): string {
    const remedy = limitRemedy(this.trouble.limitedAfterFailedLogins)
    return `${ASKED_TO_WAIT} ${how}${remedy}`
  }

  async #probe(request: WireRequest): Promise<void> {
    this.#queue.hold()
    const { exchange } = await this.#pool.lend(0).send(this.#probeRequest ?? request)
    this.#breaker.probed(exchange.failure)
    if (this.silent) this.#queue.reject()
    this.#queue.open()
  }

  /** Everything under way, and everything that waits, fails as stopped. */
  readonly #stop = (): void => {
    this.#stopped = true
    this.#queue.reject()
    this.#pool.stop(stopped.message)
  }
}

function limitRemedy(failedLogins: number | undefined): string {
  if (failedLogins === undefined || failedLogins === 0)
    return ': declare `maxRequestsPerSecond` to stay below its limit.'
  return `. It did so after ${failedLogins} failed logins and not before: declare \`maxFailedLogins: ${failedLogins - 1}\` to stay below its limit.`
}

function reasonToResend({ exchange: { response, failure }, reused }: ExchangeResult): string | undefined {
  if (response !== undefined) return asksToRetry(response) ? `the answer was ${response.status}` : undefined
  return reused && failure?.kind === 'reset' ? connectionClosed : undefined
}

function sentAgain(before: Exchange['resent'], reason: string): Exchange['resent'] {
  if (before === undefined) return { times: 1, why: reason }
  const why = before.why.includes(reason) ? before.why : `${before.why}; ${reason}`
  return { times: before.times + 1, why }
}
