import { ControlError } from '../control-error.js'

interface ListLimits {
  /** For so many requests, then never again. */
  readonly times?: number
  /** So many matching requests are let through first. */
  readonly after?: number
}

const MAX_KEPT = 100

/** The faults or hooks of one store, in the order in which they were added. Counts what each of them meets. */
export function createLimitedList<Item extends ListLimits>(what: 'faults' | 'hooks') {
  let counter = 0
  const kept = new Map<string, { readonly item: Item; seen: number; hits: number }>()
  return {
    list: () => [...kept].map(([id, { item, hits }]) => ({ ...item, id, hits })),
    /** @throws ControlError `full` */
    add(item: Item) {
      if (kept.size >= MAX_KEPT)
        throw new ControlError('full', `there are ${MAX_KEPT} ${what} already: remove some`)
      const id = String(++counter)
      kept.set(id, { item, seen: 0, hits: 0 })
      return { ...item, id, hits: 0 }
    },
    /** Whether there was one. */
    remove: (id: string): boolean => kept.delete(id),
    clear: (): void => kept.clear(),
    /** Those that match now, and are within their limits. */
    meet(matches: (item: Item) => boolean): readonly (readonly [id: string, item: Item])[] {
      return [...kept].flatMap(([id, entry]) => {
        const { times = Number.POSITIVE_INFINITY, after = 0 } = entry.item
        if (entry.hits >= times || !matches(entry.item)) return []
        entry.seen += 1
        if (entry.seen <= after) return []
        entry.hits += 1
        return [[id, entry.item] as const]
      })
    },
  }
}
