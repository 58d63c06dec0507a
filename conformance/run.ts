import { setMaxListeners } from 'node:events'
import { AssayError } from '../spec/assay-error.js'
import { nearest } from '../spec/nearest.js'
import { type Shard, showShard } from '../spec/shard.js'
import { loadSpecification } from '../spec/specification.js'
import type {
  Case,
  Observation,
  Report,
  ReportStart,
  Result,
  Selection,
  Specification,
} from '../spec/types.js'
import { assessDeployment } from './cases/assess-deployment.js'
import type { Deployment, Target } from './deployment.js'
import { Redactor } from './evidence/redact.js'
import { Semaphore } from './execute.js'
import { type Plan, type Planned, planRun, siblingOf } from './plan.js'
import type { Replay } from './replay.js'
import { composeReport, startOf } from './report.js'
import { randomSeed, runNonce } from './seed.js'
import type { KeepExchanges } from './session/session.js'
import { startServices } from './target/started-service.js'

export interface RunOptions {
  /** Patterns over case, rule and result ids. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Names of deployments. */
  readonly deployments?: readonly string[]
  /** A failed `should` gates too, and so do members that section 2.1 does not list. */
  readonly strict?: boolean
  /** 32 bits; random unless given. */
  readonly seed?: number
  /** Inputs for each forall case; default 100. */
  readonly runs?: number
  /** What of `runs` a case gets; default all. */
  readonly shareOf?: (subject: Case) => number
  /** Only this part of the plan; the others are for other runs with the same seed. */
  readonly shard?: Shard
  /** Repeat one input of one case. */
  readonly replay?: Replay
  /** Exchanges in flight; default 8. */
  readonly concurrency?: number
  readonly maxDurationMs?: number
  /** Of which results the report keeps what went over the wire; default all. */
  readonly keepExchanges?: KeepExchanges
  /** Stop at the first failed result. */
  readonly bail?: boolean
  /** Failures at which `bail` does not stop. */
  readonly isKnown?: (result: Result) => boolean
  /** Stops the run; what was finished is reported. */
  readonly signal?: AbortSignal
  readonly onPlan?: (plan: Plan, start: ReportStart) => void
  readonly onResult?: (result: Result) => void
  /** Default: the one that ships with the suite. */
  readonly specification?: Specification
}

const DEPLOYMENTS_AT_ONCE = 4

/**
 * Assesses a target: specification → plan → exchange → judgement → report.
 * @throws AssayError where the selection names what there is not; nothing has been sent then
 */
export async function assessTarget(target: Target, options: RunOptions = {}): Promise<Report> {
  const specification = options.specification ?? loadSpecification()
  const { strict = false, concurrency = 8, runs = 100, replay } = options
  const seed = options.seed ?? randomSeed()
  const selection = selectionOf(options)
  const plan = planRun(specification, target, selection, strict)
  refuseUnmatched(plan, target, specification, options)
  const redactor = new Redactor(target.secrets)
  const run = {
    specification,
    target,
    plan,
    seed,
    startedAt: new Date(),
    redactor,
    ...(Object.keys(selection).length === 0 ? {} : { selection }),
  }
  options.onPlan?.(plan, startOf(run))

  const start = performance.now()
  const nonce = runNonce()
  redactor.learn(nonce, '‹run›')
  const stop = new AbortController()
  // Every connection and every waiting case listens to it.
  setMaxListeners(0, stop.signal)
  let stopReason = 'stopped'
  const onAbort = (): void => stop.abort()
  options.signal?.addEventListener('abort', onAbort)
  if (options.signal?.aborted) stop.abort()
  const deadline =
    options.maxDurationMs === undefined ? undefined : setTimeout(onAbort, options.maxDurationMs).unref()
  const results = new Map<string, Result>()
  const observations: Observation[] = []
  const onResult = (result: Result): void => {
    results.set(result.id, result)
    options.onResult?.(result)
    if (options.bail && result.outcome === 'failed' && !options.isKnown?.(result) && !stop.signal.aborted) {
      stopReason = 'bail'
      stop.abort()
    }
  }
  const shared = {
    seed,
    runs,
    shareOf: options.shareOf ?? (() => 1),
    strict,
    keepExchanges: options.keepExchanges ?? 'all',
    runNonce: nonce,
    redactor,
    limit: new Semaphore(concurrency),
    signal: stop.signal,
    stopReason: () => stopReason,
    onResult,
    probes: selection.only === undefined && selection.skip === undefined ? specification.observations : [],
    onObserved: (found: readonly Observation[]) => observations.push(...found),
    cases: new Map(specification.cases.map((subject) => [subject.id, subject])),
    ...(replay === undefined ? {} : { replay }),
  }
  const services = await startServices(neededDeployments(plan, target), redactor, stop.signal)
  try {
    const queue = target.deployments.values()
    const plannedFor = byDeployment(plan)
    const lane = async (): Promise<void> => {
      for (const deployment of queue) {
        const planned = plannedFor.get(deployment) ?? []
        await assessDeployment(deployment, planned, { ...shared, sibling: siblingOf(deployment, target) })
      }
    }
    await Promise.all(Array.from({ length: Math.min(DEPLOYMENTS_AT_ONCE, concurrency) }, lane))
  } finally {
    await services.stop()
    clearTimeout(deadline)
    options.signal?.removeEventListener('abort', onAbort)
  }
  return composeReport({
    ...run,
    observations: inOrder(observations, target),
    results: plan.items.flatMap(({ id }) => results.get(id) ?? []),
    durationMs: performance.now() - start,
    strict,
  })
}

function byDeployment({ items }: Plan): ReadonlyMap<Deployment, readonly Planned[]> {
  const found = new Map<Deployment, Planned[]>()
  for (const item of items) {
    const others = found.get(item.deployment)
    if (others === undefined) found.set(item.deployment, [item])
    else others.push(item)
  }
  return found
}

/** By deployment, whichever was done first. */
function inOrder(observations: readonly Observation[], target: Target): readonly Observation[] {
  return target.deployments.flatMap(({ name }) =>
    observations.filter(({ deployment }) => deployment === name),
  )
}

function selectionOf({ only, skip, deployments, replay, shard }: RunOptions): Selection {
  if (replay !== undefined) return { only: [`${replay.deployment}/${replay.case}`] }
  return {
    ...(only === undefined || only.length === 0 ? {} : { only }),
    ...(skip === undefined || skip.length === 0 ? {} : { skip }),
    ...(deployments === undefined || deployments.length === 0 ? {} : { deployments }),
    ...(shard === undefined ? {} : { shard: showShard(shard) }),
  }
}

/** The deployments that something is sent to. */
function neededDeployments(plan: Plan, target: Target): readonly Deployment[] {
  const own = plan.items.flatMap(({ deployment, not }) => (not === undefined ? [deployment] : []))
  const siblings = [...new Set(own)].flatMap((deployment) => siblingOf(deployment, target) ?? [])
  return [...new Set([...own, ...siblings])]
}

/** A pattern that matches nothing would make a run green by accident. */
export function refuseUnmatched(
  plan: Plan,
  target: Target,
  specification: Specification,
  { deployments = [], replay }: RunOptions,
): void {
  const names = target.deployments.map(({ name }) => name)
  const unknown = deployments.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new AssayError(
      'unknown-deployment',
      `no deployment is named \`${unknown}\`; there are ${names.slice(0, 20).join(', ')}`,
    )
  }
  const [pattern] = plan.unmatched
  if (pattern === undefined) return
  const ids = [...specification.cases.map(({ id }) => id), ...specification.requirements.map(({ id }) => id)]
  const what = replay === undefined ? 'no case, rule or result matches' : 'there is nothing to replay at'
  throw new AssayError('nothing-matches', `${what} \`${pattern}\`${orNearest(pattern, ids)}`)
}

function orNearest(name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  return near === undefined ? '; `token-assay list cases` shows what there is' : `: did you mean \`${near}\`?`
}
