import type { Budget } from './budget.js'
import { HeldBytes } from './wire/held-bytes.js'

/** A copy of a body up to a limit, while its bytes pass on. */
export class BodyCopy {
  readonly #limit: number
  readonly #budget: Budget
  #held = new HeldBytes()
  #isTooLong = false

  /** @param limit bytes; 0: none is kept */
  constructor(limit: number, budget: Budget) {
    this.#limit = limit
    this.#budget = budget
  }

  get isTooLong(): boolean {
    return this.#isTooLong
  }

  get bytes(): Buffer {
    return this.#held.bytes
  }

  add(bytes: Buffer): void {
    if (this.#isTooLong) return
    this.#isTooLong = this.#held.length + bytes.length > this.#limit || !this.#budget.take(bytes.length)
    if (this.#isTooLong) this.free()
    else this.#held.add(bytes)
  }

  /** Gives back what it took; the bytes that it gave stay as they are. */
  free(): void {
    this.#budget.giveBack(this.#held.length)
    this.#held = new HeldBytes()
  }
}
