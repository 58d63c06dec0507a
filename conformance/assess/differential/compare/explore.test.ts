import t, { type Test } from 'tap'
import { SPENT } from '../../../drivers/pair/service-pair.js'
import type { SettingsPatch } from '../../../target/target-input.js'
import { planProbes } from '../ask/plan-probes.js'
import { openSides } from '../ask/service-side.js'
import { REGISTRATION, startPair } from '../fixtures/pair.js'
import { Comparer, type ProbeComparison } from './comparer.js'
import { explore } from './explore.js'

const CONCURRENCY = 4

/** How many probes that may be failed logins are compared at the same time. */
async function maxInFlight(t: Test, declares: SettingsPatch): Promise<number> {
  const { old, new: now } = await startPair(t, { declares })
  const sides = openSides({ old, again: old, new: now }, { seed: 1, concurrency: CONCURRENCY })
  let [inFlight, max] = [0, 0]
  class CountingComparer extends Comparer {
    override async compare(...args: Parameters<Comparer['compare']>): Promise<ProbeComparison> {
      inFlight++
      max = Math.max(max, inFlight)
      const compared = await super.compare(...args)
      inFlight--
      return compared
    }
  }
  const probes = planProbes([sides.old.session, sides.new.session], 1, 1).filter(({ mayFail }) => mayFail)
  await explore(new CountingComparer(sides), probes.slice(0, 3 * CONCURRENCY), CONCURRENCY)
  await Promise.all(Object.values(sides).map((side) => side.close()))
  return max
}

t.test('failed logins go side by side only where each is of an account of its own', async (t) => {
  t.equal(await maxInFlight(t, { registration: REGISTRATION }), CONCURRENCY)
  t.equal(await maxInFlight(t, { registration: REGISTRATION, maxFailedLogins: 50 }), 1, 'a declared budget')
  t.equal(await maxInFlight(t, {}), 1, 'declared accounts alone')
})

t.test('an account that one login has failed at takes no two more', async (t) => {
  const { old, new: now } = await startPair(t, { declares: { registration: REGISTRATION } })
  const sides = openSides({ old, again: old, new: now }, { seed: 1 })
  const probes = planProbes([sides.old.session, sides.new.session], 1, 1)
  const accounts: string[] = []
  for (const id of ['4.1/no-password', '4.1/password-under-another-name', '4.1/empty-password']) {
    const probe = probes.find((one) => one.id === `case ${id}`)
    const answers = probe === undefined ? SPENT : await sides.old.ask(probe)
    accounts.push(answers === SPENT ? SPENT : answers.run.account.userName)
  }
  await Promise.all(Object.values(sides).map((side) => side.close()))
  const [first, of, last] = accounts
  t.not(of, first)
  t.equal(last, first, 'but one more')
})
