import { ConcurrencyLimit } from './concurrency-limit.js'
import type { MonotonicClock, Throttle } from './throttle.js'

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
 * Which of the requests that wait go first. `race`: those that are to be in flight together, as they hold slots while they
 * wait. `chained`: those of a long chain, each of which waits for the one before. `spare`: what can be sent at any time,
 * and fills the slots that the others leave.
 */
const URGENCIES = ['race', 'chained', 'usual', 'spare'] as const

export type Urgency = (typeof URGENCIES)[number]

/**
 * Lets exchanges start by their urgency, in the order of asking: when the throttle allows it, no probe is out, the
 * deployment takes one more, and a slot is free.
 * No slot is held while waiting for the others.
 */
export class RequestQueue {
  readonly #limit: Semaphore
  /** What this deployment takes at a time; `#limit` is over all. */
  readonly concurrency: ConcurrencyLimit
  readonly #throttle: Throttle
  readonly #clock: MonotonicClock
  readonly #waiting: { readonly urgency: Urgency; readonly end: (entered: boolean) => void }[] = []
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
  enter(urgency: Urgency = 'usual'): boolean | Promise<boolean> {
    const now = this.#clock.now()
    const open = !this.#held && this.#waiting.length === 0 && this.#mayStart(now, urgency)
    if (open && this.#limit.tryAcquire()) {
      this.#start(now)
      return true
    }
    return new Promise((end) => {
      const place = URGENCIES.indexOf(urgency)
      const after = this.#waiting.findIndex((other) => URGENCIES.indexOf(other.urgency) > place)
      this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, { urgency, end })
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
    for (const { end } of this.#waiting.splice(0)) end(false)
  }

  #admit(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      // Whichever leaves admits the next.
      if (this.#held || this.#cancel !== undefined || this.concurrency.isFull(next.urgency === 'race')) return
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
    if (!this.#mayStart(now, this.#waiting[0]?.urgency)) this.#limit.release()
    else this.#letIn(now)
    this.#again()
  }

  #again(): void {
    this.#cancel = undefined
    this.#admit()
  }

  #mayStart(now: number, urgency: Urgency | undefined): boolean {
    return !this.concurrency.isFull(urgency === 'race') && this.#throttle.delayMs(now) <= 0
  }

  #start(now: number): void {
    this.concurrency.enter(now)
    this.#throttle.start(now)
  }

  #letIn(now: number): void {
    this.#start(now)
    this.#waiting.shift()?.end(true)
  }

  #stopWaiting(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
