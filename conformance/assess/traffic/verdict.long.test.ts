import t from 'tap'
import { MUTANTS } from '../../../prove/mutants/index.js'
import { VARIANTS } from '../../../prove/variants/index.js'
import { everyNth } from '../../../tests/fixtures/effort.js'
import { failedRules, judged } from './fixtures/exercise.js'

t.test('no mutant is red by a rule that run does not find broken, and many are red', async (t) => {
  let red = 0
  const all = MUTANTS.filter(({ needs, expect }) => needs === 'default' && expect === 'failed')
  // Each has a server and a proxy of its own: half of them where a change lands.
  for (const { id, behaviour, violates, collateral } of everyNth(all, 2)) {
    const failed = failedRules(await judged(t, behaviour()))
    // It refuses the second account, which `run` signs in by other cases.
    const further = id === 'main-account-alone' ? ['4.1-R3'] : []
    const expected = [...violates, ...collateral, ...further]
    t.strictSame(
      failed.filter((rule) => !expected.includes(rule)),
      [],
      id,
    )
    if (failed.length > 0) red++
  }
  t.ok(red > 60, `${red} are red`)
})

t.test('every server that differs and conforms is green', async (t) => {
  for (const { id, needs, behaviour } of VARIANTS) {
    if (needs === 'default') t.strictSame(failedRules(await judged(t, behaviour())), [], id)
  }
})
