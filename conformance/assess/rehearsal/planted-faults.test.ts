import t from 'tap'
import type { Rehearsal } from '../../../spec/generated/types/rehearsal.js'
import { isNight } from '../../../tests/fixtures/effort.js'
import { resolveTarget } from '../../target/target.js'
import { type CutOver, startCutOver } from './fixtures/cut-over.js'
import { PLANTED_FAULTS } from './fixtures/planted-faults.js'
import { redNames } from './fixtures/red-names.js'
import { RIGHT_PAIRS } from './fixtures/right-pairs.js'
import { rehearse } from './rehearse.js'

/** Days are waited for by moving the clocks of the services. */
const MAX_WAIT_MS = 400 * 86_400_000

async function rehearsed(cutOver: CutOver): Promise<Rehearsal> {
  await using running = await startCutOver(cutOver)
  const { target, clock, restarts } = running
  return await rehearse(resolveTarget(target), { clock, restarts, maxWaitMs: MAX_WAIT_MS })
}

t.test('each planted fault is named by what is red, and nothing else is', async (t) => {
  t.ok(Object.keys(PLANTED_FAULTS).length >= 30)
  for (const [name, fault] of Object.entries(PLANTED_FAULTS)) {
    const report = await rehearsed(fault)
    const red = redNames(report)
    t.equal(report.verdict, 'different', `${name}: ${report.inconclusive.join('; ')}`)
    t.strictSame(
      red.filter((one) => !fault.red.test(one)),
      [],
      name,
    )
    t.ok(red.length > 0, `${name}: ${fault.description}`)
  }
})

t.test('services that differ and are right: nothing is red', async (t) => {
  const pairs = Object.entries(RIGHT_PAIRS)
  t.ok(pairs.length >= 20)
  for (const [name, pair] of isNight ? Array(5).fill(pairs).flat() : pairs) {
    const report = await rehearsed(pair)
    t.strictSame(
      { verdict: report.verdict, red: redNames(report) },
      { verdict: 'as-expected', red: [] },
      name,
    )
  }
})
