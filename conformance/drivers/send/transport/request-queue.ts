import type { MonotonicClock, Throttle } from './throttle.js'

const firstRaiseMs = 2000

/** A number of slots, given out in the order of asking. */
export class Semaphore {
  readonly width: number
  #free: number
  readonly #waiting = new Set<() => void>()
  #groups: Promise<unknown> = Promise.resolve()

  constructor(width: number) {
    this.width = width
    this.#free = width
  }

  /** Takes a slot if one is free. */
  tryAcquire(): boolean {
    if (this.#free === 0) return false
    this.#free--
    return true
  }

  /** Calls `granted`, later, when it holds a slot; what is returned takes the request back. */
  queue(granted: () => void): () => void {
    // A function of its own, so that the same `granted` can wait twice.
    const entry = () => granted()
    this.#waiting.add(entry)
    return () => void this.#waiting.delete(entry)
  }

  release(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next)
      next()
      return
    }
    this.#free++
  }

  /**
   * Runs such tasks one after the other. Each holds slots while it waits for more of them: two of them would wait for
   * each other.
   */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#groups.then(task)
    this.#groups = turn.catch(() => undefined)
    return turn
  }
}

/**
 * How many exchanges a deployment takes at a time: all that are allowed, until it answers some of several with 503 and
 * `Retry-After`. Each such answer takes one away; after a while without any, one more is tried.
 */
class ConcurrencyLimit {
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

/**
 * Lets exchanges start in the order of asking: when the throttle allows it, no probe is out, the deployment takes one more,
 * and a slot is free.
 * No slot is held while waiting for the others.
 */
export class RequestQueue {
  readonly #limit: Semaphore
  /** What this deployment takes at a time; `#limit` is over all. */
  readonly concurrency: ConcurrencyLimit
  readonly #throttle: Throttle
  readonly #clock: MonotonicClock
  readonly #waiting: ((entered: boolean) => void)[] = []
  #held = false
  /** Takes back what is being waited for: the time, or a slot. */
  #cancel: (() => void) | undefined

  constructor(limit: Semaphore, throttle: Throttle, clock: MonotonicClock) {
    this.#limit = limit
    this.concurrency = new ConcurrencyLimit(limit.width)
    this.#throttle = throttle
    this.#clock = clock
  }

  /** True: the caller holds a slot, and starts at once. False: it was rejected. */
  enter(): boolean | Promise<boolean> {
    const now = this.#clock.now()
    const open = !this.#held && this.#waiting.length === 0 && this.#mayStart(now)
    if (open && this.#limit.tryAcquire()) {
      this.#start(now)
      return true
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#admit()
    })
  }

  leave(): void {
    this.concurrency.leave()
    this.#limit.release()
    this.#admit()
  }

  /** No request starts until `open`. */
  hold(): void {
    this.#held = true
    this.#stopWaiting()
  }

  open(): void {
    this.#held = false
    this.#admit()
  }

  /** Every waiting request goes away without a slot. */
  reject(): void {
    this.#stopWaiting()
    for (const waiting of this.#waiting.splice(0)) waiting(false)
  }

  #admit(): void {
    while (this.#waiting.length > 0 && !this.#held && this.#cancel === undefined) {
      // Whichever leaves admits the next.
      if (this.concurrency.isFull) return
      const now = this.#clock.now()
      const delay = this.#throttle.delayMs(now)
      if (delay > 0) this.#cancel = this.#clock.sleep(delay, () => this.#again())
      else if (this.#limit.tryAcquire()) this.#letIn(now)
      else this.#cancel = this.#limit.queue(() => this.#granted())
    }
  }

  #granted(): void {
    const now = this.#clock.now()
    // What may start may have changed since the slot was asked for.
    if (!this.#mayStart(now)) this.#limit.release()
    else this.#letIn(now)
    this.#again()
  }

  #again(): void {
    this.#cancel = undefined
    this.#admit()
  }

  #mayStart(now: number): boolean {
    return !this.concurrency.isFull && this.#throttle.delayMs(now) <= 0
  }

  #start(now: number): void {
    this.concurrency.enter(now)
    this.#throttle.start(now)
  }

  #letIn(now: number): void {
    this.#start(now)
    this.#waiting.shift()?.(true)
  }

  #stopWaiting(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
