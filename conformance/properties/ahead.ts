/** Whatever the concurrency: a seed always sends the same. */
export const MAX_AHEAD = 16

/**
 * Begins what a search will come to before it does: a few at a time, in the order of the search. It sends the same whatever
 * the order of the answers; after a failure, no more than so few were sent for nothing.
 */
export class Ahead<Item, Made> {
  readonly #items: readonly Item[]
  readonly #width: number
  readonly #make: (item: Item) => Promise<Made>
  readonly #begun: Promise<Made>[] = []
  #next = 0

  constructor(items: readonly Item[], width: number, make: (item: Item) => Promise<Made>) {
    this.#items = items
    this.#width = width
    this.#make = make
  }

  /** What was made of the next item; undefined beyond the last. */
  async take(): Promise<Made | undefined> {
    for (const item of this.#items.slice(this.#begun.length, this.#next + this.#width)) {
      const made = this.#make(item)
      // A failure reaches the one that takes it: after a failure before it, no one does.
      made.catch(() => undefined)
      this.#begun.push(made)
    }
    return this.#begun[this.#next++]
  }
}
