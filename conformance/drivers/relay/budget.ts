/** Bytes that all connections together may hold of bodies. */
export class Budget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @returns whether there was so much */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}
