const firstRaiseMs = 2000

/**
 * How many exchanges a deployment takes at a time: all that are allowed, until it answers some of several with 503 and
 * `Retry-After`. Each such answer takes one away; after a while without any, one more is tried.
 */
export class ConcurrencyLimit {
  readonly #max: number
  #width: number
  #inFlight = 0
  #changedAt = 0
  #raiseEveryMs = firstRaiseMs
  #raised = false

  constructor(max: number) {
    this.#max = max
    this.#width = max
  }

  get isFull(): boolean {
    return this.#inFlight >= this.#width
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

  /** One of several exchanges at a time was too many. */
  lower(now: number): void {
    this.#width = Math.max(1, this.#width - 1)
    this.#changedAt = now
    // The one more that was tried was too many: the next try can wait.
    if (this.#raised) this.#raiseEveryMs *= 2
    this.#raised = false
  }
}
