import t from 'tap'
import { binomialTail, compareDurations, type DurationPair } from './paired-durations.js'

/** So many pairs, in so many of which the one takes 20 ms longer; in the others nothing differs. */
const pairs = (length: number, slow: number): readonly DurationPair[] =>
  Array.from({ length }, (_, index) => ({ one: index < slow ? 30 : 10, other: 10 }))

t.test('the tail of a fair coin, by hand', async (t) => {
  t.equal(binomialTail(2, 1), 0.75)
  t.equal(binomialTail(4, 3), 5 / 16)
  t.equal(binomialTail(30, 30), 2 ** -30)
  t.equal(binomialTail(30, 29), 31 * 2 ** -30)
})

t.test('a difference is found where chance shows as much once in a million runs', async (t) => {
  // 31 / 2^30 is 2.9e-8, and (31 + 435) / 2^30 is 4.3e-7; of three looks in two directions each has 1.7e-7.
  t.equal(compareDurations(pairs(30, 29)), 'one takes longer')
  t.equal(compareDurations(pairs(30, 28)), 'open')
  const turned = pairs(30, 29).map(({ one, other }) => ({ one: other, other: one }))
  t.equal(compareDurations(turned), 'other takes longer')
})

t.test('it is looked at certain numbers alone, and given up where little speaks for it', async (t) => {
  t.equal(compareDurations(pairs(29, 29)), 'open')
  t.equal(compareDurations(pairs(30, 19)), 'no difference')
  t.equal(compareDurations(pairs(100, 70)), 'no difference')
  t.equal(compareDurations(pairs(100, 80)), 'one takes longer')
})

t.test('noise of any size, alike for both, is no difference', async (t) => {
  // The order of each pair is drawn: by turns, here.
  const noisy = Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0 ? { one: 500, other: 3 } : { one: 3, other: 500 },
  )
  t.equal(compareDurations(noisy), 'no difference')
  const small = Array.from({ length: 30 }, () => ({ one: 14, other: 10 }))
  t.equal(compareDurations(small), 'no difference', 'less than 5 ms')
})
