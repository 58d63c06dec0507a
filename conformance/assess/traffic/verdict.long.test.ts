import t from 'tap'
import { MUTANTS } from '../../../prove/mutants/index.js'
import { VARIANTS } from '../../../prove/variants/index.js'
import { everyNth } from '../../../tests/fixtures/effort.js'
import { failedRules, judged } from './fixtures/exercise.js'

t.test('no mutant is red by a rule that run does not find broken, and many are red', async (t) => {
  let red = 0
  const all = MUTANTS.filter(({ needs, expect }) => needs === 'default' && expect === 'failed')
  const tried = everyNth(all, 9)
  // Each has a server and a proxy of its own: a part of them where a change lands.
  for (const { id, behaviour, violates, collateral } of tried) {
    const failed = failedRules(await judged(t, behaviour()))
    // It refuses the second account, which `run` signs in by other cases.
    const further = id === 'main-account-alone' ? ['4.1-R3'] : []
    // Traffic has no control: credentials that are refused are so under each spelling of the media type.
    const spelled = [...violates, ...collateral].includes('4.1-R3') ? ['4.1-content-type-spelling'] : []
    const expected = [...violates, ...collateral, ...further, ...spelled]
    t.strictSame(
      failed.filter((rule) => !expected.includes(rule)),
      [],
      id,
    )
    if (failed.length > 0) red++
  }
  t.ok(red > tried.length / 4, `${red} of ${tried.length} are red`)
})

t.test('every server that differs and conforms is green', async (t) => {
  for (const { id, needs, behaviour } of everyNth(VARIANTS, 6)) {
    if (needs === 'default') t.strictSame(failedRules(await judged(t, behaviour())), [], id)
  }
})
