import t from 'tap'
import { interleave, median, ratioOfPairs } from './measure/statistics.js'

t.test('the middle, and ratios pair by pair', async (t) => {
  t.equal(median([5, 1, 9]), 5)
  t.equal(median([4, 1, 2, 9]), 3)
  t.equal(median([10, 9]), 9.5)
  t.ok(Number.isNaN(median([])))
  // Of the medians it would be 1.2: a busy moment meets both of a pair.
  t.equal(ratioOfPairs([10, 40, 12], [5, 20, 10]), 2)
})

t.test('subjects take turns, and the first time is forgotten', async (t) => {
  const order: string[] = []
  const subject = (name: string) => async () => {
    order.push(name)
    return order.length
  }
  const subjects = { a: subject('a'), b: subject('b'), c: subject('c') }
  const figures = await interleave(subjects, 2)
  t.equal(order.join(''), 'abcabcbca')
  t.strictSame(figures, { a: [4, 9], b: [5, 7], c: [6, 8] })
})
