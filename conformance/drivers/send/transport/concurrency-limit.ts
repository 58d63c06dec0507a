import { BestWidth } from './best-width.js'

const firstRaiseMs = 2000

/**
 * How many exchanges a deployment takes at a time: all that are allowed, unless it answers more of them with fewer in
 * flight, or answers some of several with 503 and `Retry-After`. Each such answer takes one away; after a while without any,
 * one more is tried.
 */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #best: BestWidth
  #width: number
  #inFlight = 0
  #changedAt = 0
  #raiseEveryMs = firstRaiseMs
  #raised = false

  constructor(max: number) {
    this.#max = max
    this.#best = new BestWidth(max)
    this.#width = max
  }

  /** @param races it is one of several that are to be in flight together: fewer of them would be another race */
  isFull(races = false): boolean {
    return this.#inFlight >= (races ? this.#width : Math.min(this.#width, this.#best.width))
  }

  get inFlight(): number {
    return this.#inFlight
  }

  enter(now: number): void {
    this.#inFlight++
    if (this.#width === this.#max || now - this.#changedAt < this.#raiseEveryMs) return
    this.#width++
    this.#changedAt = now
    this.#raised = true
  }

  leave(): void {
    this.#inFlight--
  }

  /** @param inFlight when the exchange began, along with it */
  answered(inFlight: number, durationMs: number, now: number): void {
    this.#best.answered(inFlight, durationMs, now)
  }

  /** An exchange that is not like the timed ones. */
  other(now: number): void {
    this.#best.other(now)
  }

  /** One of several exchanges at a time was too many. */
  lower(now: number): void {
    this.#width = Math.max(1, this.#width - 1)
    this.#changedAt = now
    // The one more that was tried was too many: the next try can wait.
    if (this.#raised) this.#raiseEveryMs *= 2
    this.#raised = false
  }
}
