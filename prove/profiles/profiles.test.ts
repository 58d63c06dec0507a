import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { specifiedBehaviour } from '../../reference/behaviour.js'
import { loadShipped } from '../../spec/load/advice.js'
import { rulesWithoutMutant } from '../matrix/claims.js'
import { PROFILE_PROOFS } from './index.js'

const { profiles } = loadShipped()
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

t.strictSame(Object.keys(PROFILE_PROOFS), Object.keys(profiles), 'each profile has a proof')

for (const [name, { mutants, variants, shownElsewhere }] of Object.entries(PROFILE_PROOFS)) {
  t.test(`${name}: every rule has a mutant, or a test that sees it red`, async (t) => {
    const { requirements = [] } = profiles[name] ?? {}
    const bare = rulesWithoutMutant(requirements, mutants)
    t.strictSame([...bare].sort(), Object.keys(shownElsewhere).sort())
    t.strictSame(
      Object.values(shownElsewhere).filter((file) => !existsSync(`${ROOT}${file}`)),
      [],
    )
    const rules = requirements.map(({ id }) => id)
    const claimed = mutants.flatMap(({ violates, collateral }) => [...violates, ...collateral])
    t.strictSame(
      claimed.filter((rule) => !rules.includes(rule)),
      [],
    )
  })

  t.test(
    `${name}: each server has an id and a description of its own, and overrides something`,
    async (t) => {
      const all = [...mutants, ...variants]
      t.equal(new Set(all.map(({ id }) => id)).size, all.length)
      t.equal(new Set(all.map(({ description }) => description)).size, all.length)
      t.ok(all.every(({ id }) => id.startsWith(name)))
      const overridden = all.flatMap(({ behaviour }) => Object.keys(behaviour()))
      t.strictSame(
        overridden.filter((member) => !(member in specifiedBehaviour)),
        [],
      )
    },
  )

  t.test(`${name}: every rule says where it comes from`, async (t) => {
    const { requirements = [] } = profiles[name] ?? {}
    t.strictSame(
      requirements.filter(({ source }) => source === undefined).map(({ id }) => id),
      [],
    )
  })
}
