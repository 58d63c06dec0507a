import type { Clock } from './clock.js'
import type { Pace } from './pace.js'
import type { Semaphore } from './semaphore.js'

/**
 * Lets exchanges start in the order of asking: when the pace allows it, no probe is out, and a slot is free.
 * No slot is held while waiting for the others.
 */
export class Gate {
  readonly #limit: Semaphore
  readonly #pace: Pace
  readonly #clock: Clock
  readonly #waiting: ((entered: boolean) => void)[] = []
  #held = false
  /** Takes back what is being waited for: the time, or a slot. */
  #cancel: (() => void) | undefined

  constructor(limit: Semaphore, pace: Pace, clock: Clock) {
    this.#limit = limit
    this.#pace = pace
    this.#clock = clock
  }

  /** True: the caller holds a slot, and starts at once. False: it was turned away. */
  enter(): boolean | Promise<boolean> {
    const now = this.#clock.now()
    const open = !this.#held && this.#waiting.length === 0 && this.#pace.delay(now) <= 0
    if (open && this.#limit.tryAcquire()) {
      this.#pace.start(now)
      return true
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#admit()
    })
  }

  leave(): void {
    this.#limit.release()
  }

  /** Nobody enters until `open`. */
  hold(): void {
    this.#held = true
    this.#stopWaiting()
  }

  open(): void {
    this.#held = false
    this.#admit()
  }

  /** Everyone who waits goes away without a slot. */
  turnAway(): void {
    this.#stopWaiting()
    for (const waiting of this.#waiting.splice(0)) waiting(false)
  }

  #admit(): void {
    while (this.#waiting.length > 0 && !this.#held && this.#cancel === undefined) {
      const now = this.#clock.now()
      const delay = this.#pace.delay(now)
      if (delay > 0) this.#cancel = this.#clock.sleep(delay, () => this.#again())
      else if (this.#limit.tryAcquire()) this.#letIn(now)
      else this.#cancel = this.#limit.queue(() => this.#granted())
    }
  }

  #granted(): void {
    const now = this.#clock.now()
    // The pace may have changed since the slot was asked for.
    if (this.#pace.delay(now) > 0) this.#limit.release()
    else this.#letIn(now)
    this.#again()
  }

  #again(): void {
    this.#cancel = undefined
    this.#admit()
  }

  #letIn(now: number): void {
    this.#pace.start(now)
    this.#waiting.shift()?.(true)
  }

  #stopWaiting(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
