import t from 'tap'
import { canariesOf, leaksOf, PLACES, runWithCanaries } from '../fixtures/canaries.js'
import { leaksOfClient, leaksOfDiff, leaksOfProxy } from '../fixtures/canary-commands.js'
import { leaksOfUi } from '../fixtures/canary-ui.js'
import { isNight } from '../fixtures/effort.js'
import { randomOf } from '../fixtures/random.js'

const LONGEST = 64
const SHORTEST = 3
const LENGTHS = LONGEST - SHORTEST + 1
/** Together with the places, every sixth length has its turn; at night each several times. */
const ROUNDS = isNight ? 20 : Math.ceil(LENGTHS / PLACES.length / 6)

t.test('no planted secret of 3 to 64 characters comes out, wherever it enters', async (t) => {
  const folder = t.testdir()
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const lengthOf = (place: number): number => SHORTEST + ((round + place * ROUNDS) % LENGTHS)
    const canaries = canariesOf(randomOf(Number(process.env.FUZZ_SEED ?? 1) * 1000 + round), lengthOf)
    for (const place of PLACES) seen.add(`${canaries[place].length}`)
    const outputs = await runWithCanaries(folder, canaries, round)
    t.strictSame(leaksOf(canaries, outputs).slice(0, 20), [], `round ${round}`)
  }
  t.equal(seen.size, Math.min(LENGTHS, ROUNDS * PLACES.length))
})

/** What a service repeats in names must be long enough to be no part of another word. */
const canariesOfTurn = (turn: number) =>
  canariesOf(randomOf(Number(process.env.FUZZ_SEED ?? 1) * 1000 + turn), (place) => 8 + place * 3 + turn)

for (const [leaks, turns] of [
  [leaksOfDiff, 1],
  [leaksOfProxy, 1],
  [leaksOfClient, 1],
  [leaksOfUi, 1],
] as const)
  t.test(`${leaks.name}: none`, async (t) => {
    const folder = t.testdir()
    for (let turn = 1; turn <= turns * (isNight ? 10 : 1); turn++) {
      const found = await leaks(folder, canariesOfTurn(turn), turn)
      t.strictSame(found.slice(0, 20), [], `turn ${turn}`)
    }
  })
