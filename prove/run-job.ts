import { assessTarget } from '../conformance/assess/assess-target.js'
import { OUTCOMES_ALONE } from '../conformance/drivers/send/session/run-context.js'
import { resolveScoped } from '../conformance/target/resolve-scoped.js'
import { startServers } from '../reference/embedded/embedded-servers.js'
import type { RunningProvider } from '../reference/provider/provider.js'
import { withAdvice } from '../spec/load/advice.js'
import { loadSpecification } from '../spec/load/specification.js'
import type { Case } from '../spec/model/case.js'
import type { Specification } from '../spec/model/specification.js'
import { type Assessment, type Job, summarize } from './job.js'
import { checksWith } from './judge-sites.js'
import { serversOf } from './mutant-setups.js'
import type { Mutant } from './mutants/mutant.js'
import { findMutant, findVariant } from './selection.js'
import { hasTurn, OTHER_CASES, type Stage, stagesOf, together } from './stages.js'
import { combined, type Group, isSlow } from './variants/groups.js'

/** Of the default runs, for a case of a variant that has its turn: any rule may be misjudged. */
const VARIANT = 0.1
/** For a slow one; and one input where the case has no turn. */
const SLOW_VARIANT = 0.05
const ONE_INPUT = 0.01

/** Starts the server that the job names, runs the suite against it, and stops it. */
export async function runJob(job: Job, provider: RunningProvider): Promise<Assessment> {
  let shown: Assessment | undefined
  const { smallest = {} } = job.kind === 'mutant' ? findMutant(job.id, job.profile) : {}
  const specification = job.profile === undefined ? job.specification : profileSpecification(job.profile)
  const { needs, altered, declares, stages } =
    job.kind === 'mutant'
      ? ofMutant(findMutant(job.id, job.profile), job, () => shown)
      : ofVariants(variantsOf(job), job)
  await using servers = await startServers({
    name: job.id,
    settings: serversOf(needs),
    provider,
    altered,
    declares,
  })
  const target = resolveScoped(servers)
  for (const { only, shareOf } of stages) {
    const report = await assessTarget(target, {
      seed: job.seed,
      deployments: [needs],
      shareOf,
      // No one reads another one.
      shrinks: ({ id }) => job.full || id in smallest,
      ...OUTCOMES_ALONE,
      ...(only === undefined ? {} : { only }),
      ...(specification === undefined ? {} : { specification }),
      ...(job.site === undefined ? {} : { checks: checksWith(job.site) }),
    })
    const found = summarize(job, report)
    shown = shown === undefined ? found : together(shown, found)
  }
  if (shown === undefined) throw new TypeError(`${job.id} was never assessed`)
  return shown
}

function ofMutant(mutant: Mutant, job: Job, shownOf: () => Assessment | undefined) {
  const { needs, behaviour, declares = {} } = mutant
  const { cases } = job.specification ?? loadSpecification()
  return {
    needs,
    altered: () => ({ behaviour: behaviour() }),
    declares,
    stages:
      job.profile === undefined
        ? (narrowed(job) ?? stagesOf(mutant, cases, job.seed, shownOf))
        : stagesOfProfile(job.profile, mutant.violates),
  }
}

function variantsOf({ id, besides = [], profile }: Job): Group {
  return [findVariant(id, profile), ...besides.map((other) => findVariant(other, profile))]
}

function ofVariants(variants: Group, job: Job) {
  const { needs, options, behaviour, declares = {}, cases } = combined(variants)
  const only = job.only ?? (job.full ? undefined : cases)
  const slow = variants.some(isSlow)
  const share = slow ? SLOW_VARIANT : job.full ? 1 : VARIANT
  const shareOfOthers = slow ? ONE_INPUT : OTHER_CASES
  const asAsked = job.full || job.only !== undefined
  const shareOf = (testCase: Case): number =>
    asAsked || variants.some(({ id }) => hasTurn(id, testCase, job.seed)) ? share : shareOfOthers
  return {
    needs,
    altered: () => ({ ...options, behaviour: behaviour() }),
    declares,
    stages:
      job.profile === undefined
        ? [{ ...(only === undefined ? {} : { only }), shareOf }]
        : stagesOfProfile(job.profile),
  }
}

/** The specification with a profile that gates. */
export function profileSpecification(profile: string): Specification {
  return withAdvice(loadSpecification(), { gate: [profile] })
}

/** All cases of the profile; those that judge no violated rule with a part of their inputs. */
function stagesOfProfile(profile: string, violates: readonly string[] = []): readonly Stage[] {
  const judges = ({ steps }: Case): boolean =>
    steps.some(({ expect = [] }) => expect.some(({ rule }) => violates.includes(rule)))
  return [{ only: [`${profile}:*`], shareOf: (testCase) => (judges(testCase) ? 1 : VARIANT) }]
}

/** One run, where the job asks for all of the suite, or names a part of it. */
function narrowed({ full, only }: Job): readonly Stage[] | undefined {
  if (full) return [{ ...(only === undefined ? {} : { only }), shareOf: () => 1 }]
  return only === undefined ? undefined : [{ only, shareOf: () => 1 }]
}
