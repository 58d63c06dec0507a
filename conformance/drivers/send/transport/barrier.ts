import { type MonotonicClock, systemClock } from './throttle.js'

/** What was written last is to have reached the service before the rest is sent. */
const SETTLE_MS = 10

/**
 * Lets the requests of a race end at the same moment: each holds back the last byte of its body until all of them have
 * come that far. What arrives later finds it open.
 */
export class Barrier {
  /** Resolves when everything may go on. */
  readonly opened: Promise<void>
  readonly #maxWaitMs: number
  readonly #clock: MonotonicClock
  #missing: number
  #open: () => void = () => undefined
  #cancel: (() => void) | undefined

  /**
   * @param width how many requests are waited for
   * @param maxWaitMs from the first to the last of them: a service may read one connection at a time
   */
  constructor(width: number, maxWaitMs: number, clock: MonotonicClock = systemClock) {
    this.#missing = width
    this.#maxWaitMs = maxWaitMs
    this.#clock = clock
    this.opened = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  /** One request has come so far, or has ended before. */
  arrive(): void {
    this.#missing--
    if (this.#missing === 0) {
      this.#cancel?.()
      this.#clock.sleep(SETTLE_MS, this.#open)
    } else this.#cancel ??= this.#clock.sleep(this.#maxWaitMs, this.#open)
  }

  /** A body whose last byte waits. @param arrive called before it does */
  async *holdBack(body: Uint8Array, arrive: () => void): AsyncGenerator<Uint8Array> {
    yield body.subarray(0, -1)
    arrive()
    await this.opened
    yield body.subarray(-1)
  }
}
