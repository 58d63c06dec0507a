import { composeReport, startOf } from '../../reports/model/compose-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { groupBy, inParallel } from '../../spec/model/items.js'
import { NOT_STARTED, type Report, type ReportStart, type Result } from '../../spec/model/report.js'
import { failsAsAdvice } from '../../spec/model/summary.js'
import { createRunContext, type RunContext, type RunOptions } from '../drivers/send/session/run-context.js'
import { commandLine } from '../evidence/reproduce.js'
import { type Plan, type Planned, planRun, siblingOf } from '../plan/plan.js'
import type { Deployment, Target } from '../target/deployment.js'
import type { StartedServices } from '../target/start-services.js'
import { assessDeployment, type DeploymentFindings } from './suite/assess-deployment.js'
import { notRun, notTried } from './suite/case-result.js'
import { plannedLoads } from './suite/planned-load.js'

export type { RunOptions } from '../drivers/send/session/run-context.js'

const MAX_DEPLOYMENTS_AT_ONCE = 6

/**
 * Assesses a target: specification → plan → exchange → judgement → report.
 * @throws AssayError where the selection names something that is not there; nothing has been sent then
 */
export async function assessTarget(target: Target, options: RunOptions = {}): Promise<Report> {
  const stopAtFailure = (result: Result): void => {
    if (run.bail && isFailure(result) && !run.isKnown?.(result)) run.stop('bail')
  }
  const onFailing = (result: Result): void => {
    options.onFailing?.(result)
    stopAtFailure(result)
  }
  const run = createRunContext(target, { ...options, onFailing })
  const results = new Map<string, Result>()
  const onResult = (result: Result): void => {
    results.set(result.id, result)
    run.onResult?.(result)
    stopAtFailure(result)
  }
  try {
    const plan = planRun(run.specification, target, run)
    const start = startOfRun(run, plan)
    run.onPlan?.(plan, start, plannedLoads(run, plan))
    const begin = performance.now()
    const services = await startNeeded(neededDeployments(plan, target), run)
    let findings: readonly DeploymentFindings[]
    try {
      if (services.failure !== undefined)
        for (const item of plan.items) onResult(resultWithoutService(run, item, services.failure))
      const planned = groupBy(plan.items, ({ deployment }) => deployment)
      const concurrency = Math.min(MAX_DEPLOYMENTS_AT_ONCE, run.concurrency)
      const deployments = services.failure === undefined ? target.deployments : []
      findings = await inParallel(deployments, concurrency, (deployment) => {
        const items = planned.get(deployment) ?? []
        return assessDeployment(run, deployment, items, siblingOf(deployment, target), onResult)
      })
      for (const found of findings) {
        const ended = found.trouble?.dropped ? await services.endOf(found.trouble.deployment) : undefined
        if (found.trouble && ended !== undefined) found.trouble = { ...found.trouble, ended }
      }
    } finally {
      await services.stop()
    }
    return composeReport(
      {
        start,
        rules: run.specification.requirements,
        results: plan.items.flatMap(({ id }) => results.get(id) ?? []),
        observations: findings.flatMap(({ observations = [] }) => observations),
        limits: findings.flatMap(({ limits = [] }) => limits),
        trouble: findings.flatMap(({ trouble }) => trouble ?? []),
        accounts: findings.flatMap(({ accounts }) => accounts ?? []),
        durationMs: performance.now() - begin,
      },
      { strict: run.strict },
    )
  } finally {
    run.end()
  }
}

function startOfRun(run: RunContext, plan: Plan): ReportStart {
  const { specification, target, redactor } = run
  const deployments = target.deployments.map(({ name, shownBaseUrl, declared }) => ({
    name,
    baseUrl: redactor.text(shownBaseUrl),
    declared: redactor.value(declared),
  }))
  return startOf({
    specification: specification.hash,
    target: { name: redactor.text(target.name), deployments },
    startedAt: run.startedAt,
    seed: run.seed,
    inputs: {
      ...(run.effort === 'thorough' ? { effort: run.effort } : {}),
      ...(run.runs === undefined ? {} : { runs: run.runs }),
    },
    command: run.command === undefined ? undefined : commandLine(run.command, (word) => redactor.text(word)),
    selection: run.selection,
    advice: specification.advice,
    plan: { hash: plan.hash, planned: plan.items.length },
  })
}

/** What is advice stops no run. */
function isFailure(result: Result): boolean {
  return result.outcome === 'failed' && !failsAsAdvice(result)
}

/** What the target file asks to start, or why it did not start: that is a result of the run, and no misuse. */
interface NeededServices extends StartedServices {
  readonly failure?: string
}

const NOTHING_STARTED: NeededServices = {
  stop: async () => undefined,
  restart: async () => undefined,
  endOf: async () => undefined,
}

/** Few targets start anything: starting is loaded on demand. */
async function startNeeded(
  deployments: readonly Deployment[],
  { redactor, signal }: RunContext,
): Promise<NeededServices> {
  if (deployments.every(({ start }) => start === undefined)) return NOTHING_STARTED
  const { startServices } = await import('../target/start-services.js')
  try {
    return await startServices(deployments, redactor, signal)
  } catch (error) {
    if (!(error instanceof AssayError && error.code === 'start-failed')) throw error
    return { ...NOTHING_STARTED, failure: `${NOT_STARTED}: ${error.message}` }
  }
}

function resultWithoutService(run: RunContext, item: Planned, failure: string): Result {
  return item.not === undefined
    ? notTried(run, item, failure)
    : notRun(item, item.not.outcome, item.not.reason)
}

/** The deployments that something is sent to. */
function neededDeployments(plan: Plan, target: Target): readonly Deployment[] {
  const own = plan.items.flatMap(({ deployment, not }) => (not === undefined ? [deployment] : []))
  const siblings = [...new Set(own)].flatMap((deployment) => siblingOf(deployment, target) ?? [])
  return [...new Set([...own, ...siblings])]
}
