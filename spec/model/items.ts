/** The items by their key, in the order in which each key came first. (`Map.groupBy` needs Node 21.) */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/**
 * Does the work for every item, by so many workers: each takes the next item when it is done with one.
 * @param work gets the item and the worker's number, from 0
 * @returns the results, in the order of the items
 * @throws what `work` throws first; no further item is taken then
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  workers: number,
  work: (item: Item, worker: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const queue = numbered(items)
  const results: Result[] = []
  const worker = async (_: unknown, number: number): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, number)
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return results
}

/** A generator, as it ends for all loops that share it when one of them throws. */
function* numbered<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let index = 0
  for (const item of items) yield [index++, item]
}

/** A record without the members that are `undefined`, for a type whose members may be absent alone. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}

type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** `12,000`. By hand: the first formatter of `Intl` costs 10 ms, and k6 has none. */
export function grouped(n: number): string {
  const rest = String(n % 1000)
  return n < 1000 ? rest : `${grouped(Math.floor(n / 1000))},${rest.padStart(3, '0')}`
}
