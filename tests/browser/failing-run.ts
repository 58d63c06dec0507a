import { assessTarget } from '../../conformance/assess/assess-target.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import { findMutant } from '../../prove/jobs/selection.js'
import { serversOf } from '../../prove/jobs/setups.js'
import { type Behaviour, specifiedBehaviour } from '../../reference/behaviour.js'
import { startEmbeddedProvider, startServers } from '../../reference/embedded/embedded-servers.js'
import type { Report } from '../../spec/model/report.js'

/** The report of a real run against a server that is wrong in the ways of several mutants, in different places. */
export async function failingRun(mutants: readonly string[]): Promise<Report> {
  const [needs] = mutants.map((id) => findMutant(id).needs)
  if (needs === undefined) throw new TypeError('no mutant is named')
  const provider = await startEmbeddedProvider()
  await using servers = await startServers({
    name: 'A service with several faults',
    settings: serversOf(needs),
    provider,
    altered: () => ({ behaviour: { ...specifiedBehaviour, ...Object.assign({}, ...mutants.map(changes)) } }),
  })
  const report = await assessTarget(resolveScoped(servers), { seed: 1, runs: 10, deployments: [needs] })
  await provider.close()
  return report
}

/** What a mutant does otherwise than the specification says. */
function changes(id: string): Partial<Behaviour> {
  const own = Object.entries(findMutant(id).behaviour())
  const specified = new Map<string, unknown>(Object.entries(specifiedBehaviour))
  return Object.fromEntries(own.filter(([name, value]) => specified.get(name) !== value))
}
