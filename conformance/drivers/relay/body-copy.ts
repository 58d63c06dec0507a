import type { Budget } from './budget.js'
import { HeldBytes } from './wire/held-bytes.js'

const NOTHING: Buffer = Buffer.alloc(0)

/** A copy of a body up to a limit, while its bytes pass on. */
export class BodyCopy {
  readonly #limit: number
  readonly #budget: Budget
  /** Most bodies come in one piece, which is kept as it is. */
  #first = NOTHING
  #held: HeldBytes | undefined
  #length = 0
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
    return this.#held?.bytes ?? this.#first
  }

  add(bytes: Buffer): void {
    if (this.#isTooLong) return
    if (this.#length + bytes.length > this.#limit || !this.#budget.take(bytes.length)) {
      this.#isTooLong = true
      this.free()
      return
    }
    if (this.#length === 0) this.#first = bytes
    else {
      if (this.#held === undefined) {
        this.#held = new HeldBytes()
        this.#held.add(this.#first)
        this.#first = NOTHING
      }
      this.#held.add(bytes)
    }
    this.#length += bytes.length
  }

  /** Gives back what it took. */
  free(): void {
    this.#budget.giveBack(this.#length)
    this.#length = 0
    this.#first = NOTHING
    this.#held = undefined
  }
}
