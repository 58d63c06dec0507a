import type { ExchangeFailure } from '../exchange.js'

const timeoutsInARow = 5

/** Whether the deployment still answers: after five time-outs in a row it is asked once more, by a probe. */
export class Silence {
  #timeouts = 0
  #probing = false
  #silent = false

  get silent(): boolean {
    return this.#silent
  }

  /** Takes note of how an exchange ended; true: whoever reports this one has to probe. */
  probeDue(failure: ExchangeFailure | undefined): boolean {
    if (failure?.kind === 'timeout') this.#timeouts++
    // Nobody listening is no answer, but no time is lost on it either; a stopped exchange tells nothing.
    else if (failure?.kind !== 'refused' && failure?.kind !== 'stopped') this.#timeouts = 0
    if (this.#probing || this.#silent || this.#timeouts < timeoutsInARow) return false
    this.#probing = true
    return true
  }

  /** How the probe ended. */
  probed(failure: ExchangeFailure | undefined): void {
    this.#probing = false
    this.#timeouts = 0
    this.#silent = failure?.kind === 'timeout' || failure?.kind === 'refused'
  }
}
