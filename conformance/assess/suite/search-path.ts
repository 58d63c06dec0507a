/** The place of an input in a search, as `--replay` names it, and how often the search had made an input smaller by then. */
export interface SearchPlace {
  readonly path: string
  readonly shrinks: number
}

/** Follows fast-check through a search, which tells the path of its last counterexample only. */
export class SearchPath {
  #found: readonly number[] = []
  #next = 0

  /** To be called with each input that is tried, in order. */
  next(): SearchPlace {
    const path = [...this.#found, this.#next++]
    return { path: path.join(':'), shrinks: this.#found.length }
  }

  /** The last input broke an expectation: what follows are smaller ones. */
  failed(): void {
    this.#found = [...this.#found, this.#next - 1]
    this.#next = 0
  }
}
