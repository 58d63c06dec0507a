/** Whatever the concurrency: a seed always sends the same. */
export const MAX_AHEAD = 16

/**
 * Begins what a search will come to before it does: a few at a time, in the order of the search. It sends the same whatever
 * the order of the answers; after a failure, no more than so few were sent for nothing.
 * @returns takes what was made of the next item; undefined beyond the last
 */
export function beginAhead<Item, Made>(
  items: readonly Item[],
  width: number,
  make: (item: Item) => Promise<Made>,
): () => Promise<Made | undefined> {
  const begun: Promise<Made>[] = []
  let next = 0
  return async () => {
    for (const item of items.slice(begun.length, next + width)) {
      const made = make(item)
      // A failure reaches the one that takes it: after a failure before it, no one does.
      made.catch(() => undefined)
      begun.push(made)
    }
    return begun[next++]
  }
}
