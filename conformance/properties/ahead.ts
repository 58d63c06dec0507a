/** Whatever the concurrency: a seed always sends the same. */
export const MAX_AHEAD = 8

/**
 * Begins what a search will come to before it does: a few at a time, in the order of the search. It sends the same whatever
 * the order of the answers; after a failure no more than the rest of its batch was sent for nothing.
 */
export class Ahead<Item, Made> {
  readonly #items: readonly Item[]
  readonly #width: number
  readonly #make: (item: Item) => Promise<Made>
  #batch: readonly Promise<Made>[] = []
  #next = 0

  constructor(items: readonly Item[], width: number, make: (item: Item) => Promise<Made>) {
    this.#items = items
    this.#width = width
    this.#make = make
  }

  /** What was made of the next item; undefined beyond the last. */
  async take(): Promise<Made | undefined> {
    const index = this.#next++
    if (index % this.#width === 0) {
      this.#batch = this.#items.slice(index, index + this.#width).map((item) => this.#make(item))
      // A failure reaches the one that takes it: after a failure before it, no one does.
      for (const made of this.#batch) made.catch(() => undefined)
    }
    return this.#batch[index % this.#width]
  }
}
