import t from 'tap'
import { canariesOf, leaksOf, PLACES, runWithCanaries } from '../fixtures/canaries.js'
import { randomOf } from '../fixtures/random.js'

t.test('no planted secret comes out, however a service spells it', async (t) => {
  // From 3 characters, which are found alone, to 64: another length in each place.
  const canaries = canariesOf(randomOf(4), (place) => (place < 3 ? 3 + place : 1 + place * 5))
  const outputs = await runWithCanaries(t.testdir(), canaries, 4)
  t.ok((outputs.get('junit') ?? '').length > 10_000 && outputs.size >= 14, 'much was written')
  t.strictSame(leaksOf(canaries, outputs).slice(0, 20), [])
  t.equal(PLACES.length, 13)
})
