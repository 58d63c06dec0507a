import t from 'tap'
import { Ahead } from './ahead.js'

t.test('a few are begun before they are taken, and one more for each that is taken', async (t) => {
  const begun: number[] = []
  const ahead = new Ahead([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    return item * 10
  })
  t.strictSame(begun, [])
  t.equal(await ahead.take(), 10)
  t.strictSame(begun, [1, 2])
  t.equal(await ahead.take(), 20)
  t.strictSame(begun, [1, 2, 3])
  t.equal(await ahead.take(), 30)
  t.strictSame(begun, [1, 2, 3, 4])
  t.strictSame([await ahead.take(), await ahead.take(), await ahead.take()], [40, 50, undefined])
})

t.test('the order is that of the items, whichever is done first', async (t) => {
  const done: (() => void)[] = []
  const ahead = new Ahead(
    ['a', 'b'],
    2,
    (item) => new Promise<string>((resolve) => done.push(() => resolve(item))),
  )
  const first = ahead.take()
  const second = ahead.take()
  for (const end of done.toReversed()) end()
  t.strictSame(await Promise.all([first, second]), ['a', 'b'])
})

t.test('a failure reaches the one that takes it, and no one else', async (t) => {
  const ahead = new Ahead([1, 2], 2, async (item) => {
    if (item === 2) throw new Error('boom')
    return item
  })
  t.equal(await ahead.take(), 1)
  await new Promise(setImmediate)
  await t.rejects(ahead.take(), { message: 'boom' })
})
