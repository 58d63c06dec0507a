import { type MonotonicClock, systemClock } from './throttle.js'

/** What was written last is to have reached the service before the rest is sent. */
const SETTLE_MS = 10

/** One request's place in a race. */
export interface Place {
  /** The request has come so far, or has ended before; both may be so. */
  readonly arrive: () => void
  /** Resolves when it may go on. */
  readonly opened: Promise<void>
}

/**
 * Lets the requests of a race end at the same moment: each holds back the last byte of its body until all of them have
 * come that far. Then they are sent in the order in which their places were taken: a service may read no more than the
 * first of them. What arrives later finds it open.
 */
export class Barrier {
  readonly #maxWaitMs: number
  readonly #clock: MonotonicClock
  readonly #places: (() => void)[] = []
  #missing: number
  #isOpen = false
  #cancel: (() => void) | undefined

  /**
   * @param width how many requests are waited for
   * @param maxWaitMs from the first to the last of them: a service may read one connection at a time
   */
  constructor(width: number, maxWaitMs: number, clock: MonotonicClock = systemClock) {
    this.#missing = width
    this.#maxWaitMs = maxWaitMs
    this.#clock = clock
  }

  /** A place behind those that were taken before. */
  place(): Place {
    const opened = new Promise<void>((resolve) => {
      if (this.#isOpen) resolve()
      else this.#places.push(resolve)
    })
    let arrived = false
    const arrive = (): void => {
      if (!arrived) this.#arrive()
      arrived = true
    }
    return { arrive, opened }
  }

  #arrive(): void {
    const open = (): void => {
      this.#isOpen = true
      for (const one of this.#places.splice(0)) one()
    }
    this.#missing--
    if (this.#missing === 0) {
      this.#cancel?.()
      this.#clock.sleep(SETTLE_MS, open)
    } else this.#cancel ??= this.#clock.sleep(this.#maxWaitMs, open)
  }
}

/** A body whose last byte waits. */
export async function* heldBack(body: Uint8Array, { arrive, opened }: Place): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, -1)
  arrive()
  await opened
  yield body.subarray(-1)
}
