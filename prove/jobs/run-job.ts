import { assessTarget } from '../../conformance/assess/assess-target.js'
import { OUTCOMES_ALONE } from '../../conformance/drivers/send/session/run-context.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import { startServers } from '../../reference/embedded/embedded-servers.js'
import type { RunningProvider } from '../../reference/provider/provider.js'
import { withAdvice } from '../../spec/load/advice.js'
import { loadSpecification } from '../../spec/load/specification.js'
import type { Specification } from '../../spec/model/specification.js'
import { isShown } from '../matrix/claims.js'
import type { Mutant } from '../mutants/mutant.js'
import type { Variant } from '../variants/variant.js'
import { type Assessment, type Job, summarize } from './job.js'
import { checksWith } from './judge-sites.js'
import { findMutant, findVariant } from './selection.js'
import { serversOf } from './setups.js'
import { type Stage, stageOfVariant, stagesOfMutant } from './stages.js'

/** Starts the server that the job names, runs the suite against it, and stops it. */
export async function runJob(job: Job, provider: RunningProvider): Promise<Assessment> {
  if (job.kind === 'variant') {
    const variant = findVariant(job.id, job.profile)
    return assess(job, variant, stageOfVariant(variant, job), provider)
  }
  const mutant = findMutant(job.id, job.profile)
  const [first, ...further] = stagesOfMutant(mutant, specificationOf(job).cases, job)
  let found = await assess(job, mutant, first, provider)
  for (const stage of further) if (!isShown(mutant, found)) found = await assess(job, mutant, stage, provider)
  return found
}

async function assess(
  job: Job,
  server: Mutant | Variant,
  { only, shareOf }: Stage,
  provider: RunningProvider,
): Promise<Assessment> {
  const { needs, behaviour, declares = {} } = server
  const smallest = 'smallest' in server ? server.smallest : undefined
  await using servers = await startServers({
    name: job.id,
    settings: serversOf(needs),
    provider,
    altered: () => ({ ...server.options, behaviour: behaviour() }),
    declares,
  })
  const report = await assessTarget(resolveScoped(servers), {
    seed: job.seed,
    deployments: [needs],
    shareOf,
    // No other counterexample is read.
    shrinks: ({ id }) => job.full || (smallest !== undefined && id in smallest),
    ...OUTCOMES_ALONE,
    ...(job.effort && { effort: job.effort }),
    ...(only && { only }),
    specification: specificationOf(job),
    ...(job.site && { checks: checksWith(job.site) }),
  })
  return summarize(job, report)
}

function specificationOf({ profile, specification }: Job): Specification {
  return profile === undefined ? (specification ?? loadSpecification()) : profileSpecification(profile)
}

export function profileSpecification(profile: string): Specification {
  return withAdvice(loadSpecification(), { gate: [profile] })
}
