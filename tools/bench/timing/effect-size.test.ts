import t from 'tap'
import { median } from '../measure/statistics.js'
import { effectSize } from './effect-size.js'

t.test('samples that lie apart', async (t) => {
  // Means 5 and 2, each with a squared deviation of 2 over 2 degrees of freedom.
  const { cliffsDelta, cohensD } = effectSize([4, 5, 6], [1, 2, 3])
  t.equal(cliffsDelta, 1)
  t.equal(cohensD, 3)
  t.equal(effectSize([1, 2, 3], [4, 5, 6]).cliffsDelta, -1)
  // Of 9 pairs (2, 3, 4 against 1, 2, 3) 6 are greater, 2 equal, 1 smaller.
  t.equal(effectSize([2, 3, 4], [1, 2, 3]).cliffsDelta, 5 / 9)
  t.equal(effectSize([2, 3, 4], [1, 2, 3]).cohensD, 1)
})

t.test('samples that do not', async (t) => {
  t.match(effectSize([1, 2, 3], [3, 2, 1]), { cliffsDelta: 0, cohensD: 0 })
  t.match(effectSize([7, 7], [7, 7]), { cliffsDelta: 0, cohensD: 0 })
  const thousands = Array.from({ length: 2000 }, (_, index) => index)
  t.equal(effectSize(thousands, thousands).deltaByChance.toFixed(4), '0.0358')
})

t.test('medians', async (t) => {
  t.equal(median([3, 1, 2]), 2)
  t.equal(median([4, 1, 3, 2]), 2.5)
  t.equal(median([10, 9]), 9.5)
})
