import t from 'tap'
import { inParallel } from './items.js'

t.test('results are in the order of the items, and no more than so many run at a time', async (t) => {
  let running = 0
  let peak = 0
  const workers = new Set<number>()
  const results = await inParallel([3, 1, 2, 0], 2, async (item, worker) => {
    workers.add(worker)
    peak = Math.max(peak, ++running)
    for (let turn = 0; turn < item; turn++) await Promise.resolve()
    running--
    return `item ${item}`
  })
  t.strictSame(results, ['item 3', 'item 1', 'item 2', 'item 0'])
  t.equal(peak, 2)
  t.strictSame([...workers].sort(), [0, 1])
})

t.test('an error is thrown, and no further item is taken', async (t) => {
  const taken: number[] = []
  const failing = inParallel([1, 2, 3, 4], 2, async (item) => {
    taken.push(item)
    await Promise.resolve()
    throw new RangeError(`item ${item}`)
  })
  await t.rejects(failing, new RangeError('item 1'))
  t.strictSame(taken, [1, 2])
  t.strictSame(await inParallel([], 3, async () => 'nothing'), [])
})
