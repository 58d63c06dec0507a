import t from 'tap'
import { binomialTail, compareDurations, type DurationPair, medianInterval } from './paired-durations.js'

/** So many pairs, in so many of which the one takes 20 ms longer; in the others nothing differs. */
const pairs = (length: number, slow: number): readonly DurationPair[] =>
  Array.from({ length }, (_, index) => ({ one: index < slow ? 30 : 10, other: 10 }))

t.test('the tail of a fair coin, by hand', async (t) => {
  t.equal(binomialTail(2, 1), 0.75)
  t.equal(binomialTail(4, 3), 5 / 16)
  t.equal(binomialTail(30, 30), 2 ** -30)
  t.equal(binomialTail(30, 29), 31 * 2 ** -30)
})

// The numbers of pairs were reckoned with exact fractions: of 38 looks in two directions each has 1/76 of the rate.
t.test('a difference is found where chance shows as much once in a million runs', async (t) => {
  for (const [length, enough] of [
    [30, 30],
    [40, 37],
    [100, 78],
    [200, 140],
    [400, 256],
  ] as const) {
    t.equal(compareDurations(pairs(length, enough)), 'one takes longer', `${enough} of ${length}`)
    t.not(compareDurations(pairs(length, enough - 1)), 'one takes longer', `${enough - 1} of ${length}`)
  }
  const turned = pairs(30, 30).map(({ one, other }) => ({ one: other, other: one }))
  t.equal(compareDurations(turned), 'other takes longer')
})

t.test('no difference is found where a difference shows as little once in a thousand runs', async (t) => {
  for (const [length, close] of [
    [30, 27],
    [40, 34],
    [100, 72],
    [200, 131],
  ] as const) {
    t.equal(compareDurations(pairs(length, length - close)), 'no difference', `${close} of ${length}`)
    t.equal(compareDurations(pairs(length, length - close + 1)), 'open', `${close - 1} of ${length}`)
  }
})

t.test('it is looked every ten pairs, and given up at 400, at the budget or after 20 seconds', async (t) => {
  t.equal(compareDurations(pairs(29, 29)), 'open')
  t.equal(compareDurations(pairs(41, 41)), 'open')
  t.equal(compareDurations(pairs(390, 195)), 'open')
  t.equal(compareDurations(pairs(400, 200)), 'undecided')
  t.equal(compareDurations(pairs(100, 50), 109), 'undecided')
  const slow = pairs(100, 50).map(({ one, other }) => ({ one: one + 90, other: other + 90 }))
  t.equal(compareDurations(slow.slice(0, 90)), 'open')
  t.equal(compareDurations(slow), 'undecided')
})

t.test('noise of any size, alike for both, is no difference', async (t) => {
  // The order of each pair is drawn: by turns, here.
  const noisy = Array.from({ length: 400 }, (_, index) =>
    index % 2 === 0 ? { one: 15, other: 3 } : { one: 3, other: 15 },
  )
  t.equal(compareDurations(noisy), 'undecided')
  const small = Array.from({ length: 30 }, () => ({ one: 14, other: 10 }))
  t.equal(compareDurations(small), 'no difference', 'less than 5 ms')
})

t.test('the interval of the median is that of its order statistics', async (t) => {
  const counted = Array.from({ length: 30 }, (_, index) => ({ one: index, other: 0 }))
  // Of 30 throws at most five are heads with 1.6e-4, at most six with 7.2e-4.
  t.strictSame(medianInterval(counted), [5, 24])
})
