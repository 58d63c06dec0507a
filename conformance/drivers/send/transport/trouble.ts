import type { Exchange, ExchangeFailure, FailureKind } from '../../../exchange/exchange.js'
import { asksToRetry } from './throttle.js'

/** What went wrong on the way to one deployment. Numbers of requests, each sending counted. */
export interface TroubleCount {
  readonly requests: number
  /** Answers with a status of 500 or more, but for those that ask to wait. */
  readonly serverErrors: number
  readonly dropped: number
  readonly timedOut: number
  /** 429, and 503 with `Retry-After`. */
  readonly rateLimited: number
  /** How often each status of 429, or of 500 and more, came. */
  readonly statuses: ReadonlyMap<number, number>
  /** How many logins had failed at the first answer that asked to wait, where that came while logins were to fail. */
  readonly limitedAfterFailedLogins?: number | undefined
}

const dropped: readonly FailureKind[] = ['reset', 'incomplete', 'refused', 'tls']

export class TroubleCounter implements TroubleCount {
  requests = 0
  serverErrors = 0
  dropped = 0
  timedOut = 0
  rateLimited = 0
  readonly statuses = new Map<number, number>()
  limitedAfterFailedLogins: number | undefined

  /** @param failedLogins how many there were so far, while logins are to fail */
  add({ response, failure }: Exchange, failedLogins?: number): void {
    if (failure?.kind === 'stopped' || failure?.kind === 'unsendable') return
    this.requests++
    const status = response?.status ?? 0
    if (status === 429 || status >= 500) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (response !== undefined && asksToRetry(response)) {
      if (this.rateLimited === 0) this.limitedAfterFailedLogins = failedLogins
      this.rateLimited++
    } else if (response !== undefined && response.status >= 500) this.serverErrors++
    else if (failure?.kind === 'timeout') this.timedOut++
    else if (failure !== undefined && dropped.includes(failure.kind)) this.dropped++
  }
}

const maxTimeoutsInARow = 5

/** Opens when the deployment has stopped answering: after five time-outs in a row it is asked once more, by a probe. */
export class CircuitBreaker {
  #timeouts = 0
  #probing = false
  #open = false

  /** Open: nothing may be sent any more. */
  get open(): boolean {
    return this.#open
  }

  /** Takes note of how an exchange ended; true: the caller has to probe. */
  probeDue(failure: ExchangeFailure | undefined): boolean {
    if (failure?.kind === 'timeout') this.#timeouts++
    // A refused connection is no answer, but no time is lost on it either; a stopped exchange says nothing.
    else if (failure?.kind !== 'refused' && failure?.kind !== 'stopped') this.#timeouts = 0
    if (this.#probing || this.#open || this.#timeouts < maxTimeoutsInARow) return false
    this.#probing = true
    return true
  }

  /** How the probe ended. */
  probed(failure: ExchangeFailure | undefined): void {
    this.#probing = false
    this.#timeouts = 0
    this.#open = failure?.kind === 'timeout' || failure?.kind === 'refused'
  }
}
