/** So many slots and no more; whoever comes later is served in the order of coming. */
export class Semaphore {
  readonly width: number
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(width: number) {
    this.width = width
    this.#free = width
  }

  /** Takes a slot if one is free and nobody waits for it. */
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
}
