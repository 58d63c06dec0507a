import t from 'tap'
import { beginAhead } from './ahead.js'

t.test('a few are begun before they are taken, and one more for each that is taken', async (t) => {
  const begun: number[] = []
  const take = beginAhead([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    return item * 10
  })
  t.strictSame(begun, [])
  t.equal(await take(), 10)
  t.strictSame(begun, [1, 2])
  t.equal(await take(), 20)
  t.strictSame(begun, [1, 2, 3])
  t.equal(await take(), 30)
  t.strictSame(begun, [1, 2, 3, 4])
  t.strictSame([await take(), await take(), await take()], [40, 50, undefined])
})

t.test('the order is that of the items, whichever is done first', async (t) => {
  const done: (() => void)[] = []
  const take = beginAhead(
    ['a', 'b'],
    2,
    (item) => new Promise<string>((resolve) => done.push(() => resolve(item))),
  )
  const first = take()
  const second = take()
  for (const end of done.toReversed()) end()
  t.strictSame(await Promise.all([first, second]), ['a', 'b'])
})

t.test('a failure reaches the one that takes it, and no one else', async (t) => {
  const take = beginAhead([1, 2], 2, async (item) => {
    if (item === 2) throw new Error('boom')
    return item
  })
  t.equal(await take(), 1)
  await new Promise(setImmediate)
  await t.rejects(take(), { message: 'boom' })
})
