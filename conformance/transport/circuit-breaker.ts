import type { ExchangeFailure } from '../wire/exchange.js'

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
