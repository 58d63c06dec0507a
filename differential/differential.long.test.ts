import t from 'tap'
import { startEmbeddedProvider, startServers } from '../prove/embedded-servers.js'
import { serversOf } from '../prove/mutant-setups.js'
import { findMutant, findVariant } from '../prove/selection.js'
import type { Differential } from '../spec/generated/types/differential.js'
import { type Compare, findDifferences } from './find-differences.js'

/** Servers that differ and conform: one finding each, with what a run observes of it. */
const VARIANTS: Readonly<Record<string, string>> = {
  'other-methods-by-404': '4.1/delete',
  'success-by-201': '2.1/success-status',
  'trimming-user-names': '4.1/user-name-with-space',
}

/** Servers that are wrong: the first finding has the rule that they break. */
const MUTANTS = [
  'any-media-type',
  'get-allowed',
  'password-of-8-characters',
  'iso-dates',
  'no-issued',
  'identifier-for-user-name',
  'lower-case-user-name',
]

const provider = await startEmbeddedProvider()
t.teardown(() => provider.close())

async function compareWith(
  chosen: ReturnType<typeof findMutant | typeof findVariant>,
): Promise<Differential> {
  const settings = serversOf(chosen.needs)
  await using old = await startServers({ name: 'old', settings, provider })
  const altered = () => ({ behaviour: chosen.behaviour() })
  await using now = await startServers({ name: 'new', settings, provider, altered })
  const [a, b] = [old, now].map(({ target }): Compare => ({ target, deployment: target.deployments[0] }))
  if (a === undefined || b === undefined) throw new TypeError('two servers were started')
  // The servers stop when this returns.
  return await findDifferences(a, b, { seed: 1, runs: 20 })
}

for (const [id, observation] of Object.entries(VARIANTS))
  t.test(`the variant ${id}`, async (t) => {
    const { findings } = await compareWith(findVariant(id))
    t.match(findings, [{ class: 'silent', observation }])
    t.equal(findings.length, 1)
  })

for (const id of MUTANTS)
  t.test(`the mutant ${id}`, async (t) => {
    const mutant = findMutant(id)
    const { findings } = await compareWith(mutant)
    const [first] = findings
    t.equal(first?.class, 'breaks')
    t.ok(
      first?.rules.some((rule) => mutant.violates.includes(rule)),
      first?.rules.join(),
    )
  })
