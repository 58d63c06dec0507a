/** Works through the items, so many at a time; results in the order of the items. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, lane: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>()
  const queue = items.entries()
  const drain = async (lane: number): Promise<void> => {
    for (const [index, item] of queue) results.set(index, await work(item, lane))
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => drain(lane)))
  return items.flatMap((_, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}
