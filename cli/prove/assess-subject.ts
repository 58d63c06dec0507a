import { assessTarget } from '../../conformance/run.js'
import type { Mutant, Variant } from '../../reference/mutants/mutant.js'
import type { RunningProvider } from '../../reference/provider/provider.js'
import type { Case } from '../../spec/types.js'
import { startServers } from '../embedded-servers.js'
import { type Assessment, type Job, summarize } from './assessment.js'
import { serversOf } from './proving-grounds.js'
import { findMutant, findVariant } from './subjects.js'

/** Of the default budget, for the cases that judge no claimed rule: with one seed they draw the same for every mutant. */
const ELSEWHERE = 0.03
/** Of the default budget, for a server that keeps every rule: more than elsewhere, since any rule may be misjudged. */
const VARIANT = 0.1
/** For one that hashes as in production, or admits few requests a second. */
const SLOW_VARIANT = 0.05

/** Starts what the job names, runs the suite against it, and stops it. */
export async function assessSubject(job: Job, provider: RunningProvider): Promise<Assessment> {
  const subject =
    job.kind === 'mutant' ? ofMutant(findMutant(job.id), job) : ofVariant(findVariant(job.id), job)
  const { needs, declares, shareOf } = subject
  const servers = await startServers({
    name: job.id,
    settings: serversOf(needs),
    provider,
    altered: subject.altered,
    declares,
  })
  try {
    const report = await assessTarget(servers.target, {
      seed: job.seed,
      deployments: [needs],
      shareOf,
      ...(job.only === undefined ? {} : { only: job.only }),
      ...(job.specification === undefined ? {} : { specification: job.specification }),
    })
    return summarize(job, report)
  } finally {
    await servers.close()
  }
}

function ofMutant({ needs, violates, expect, behaviour, declares = {} }: Mutant, { full }: Job) {
  // One that is unavailable claims no rule, and may be so after hundreds of requests.
  const everywhere = full || expect === 'cantTell'
  return {
    needs,
    altered: () => ({ behaviour: behaviour() }),
    declares,
    shareOf: (subject: Case) => (everywhere || judges(subject, violates) ? 1 : ELSEWHERE),
  }
}

function ofVariant({ needs, options = {}, behaviour, declares = {} }: Variant, { full }: Job) {
  const slow = options.hashing === 'argon2id' || declares.maxRequestsPerSecond !== undefined
  const share = slow ? SLOW_VARIANT : full ? 1 : VARIANT
  return {
    needs,
    altered: () => ({ ...options, ...(behaviour === undefined ? {} : { behaviour: behaviour() }) }),
    declares,
    shareOf: () => share,
  }
}

function judges({ steps }: Case, rules: readonly string[]): boolean {
  return steps.some(({ expect = [] }) => expect.some(({ rule }) => rules.includes(rule)))
}
