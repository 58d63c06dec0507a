/** A map of the latest keys: the oldest is forgotten beyond the limit. */
export interface BoundedMap<V> {
  get(key: string): V | undefined
  /** A key that is there keeps its age. */
  set(key: string, value: V): void
}

export function createBoundedMap<V>(limit: number): BoundedMap<V> {
  const values = new Map<string, V>()
  /** In the order of their coming, the oldest being replaced: a map's own first key is slow to find after many deletions. */
  const keys: string[] = []
  let next = 0
  return {
    get: (key) => values.get(key),
    set(key, value) {
      if (!values.has(key)) {
        const oldest = keys[next]
        if (oldest !== undefined) values.delete(oldest)
        keys[next] = key
        next = (next + 1) % limit
      }
      values.set(key, value)
    },
  }
}
