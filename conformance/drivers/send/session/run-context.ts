import { randomBytes, randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { loadSpecification } from '../../../../spec/load/specification.js'
import type { Case } from '../../../../spec/model/case.js'
import type { LeftAccount, ReportStart, Result, Selection } from '../../../../spec/model/report.js'
import type { Effort, Replay, Shard } from '../../../../spec/model/selection.js'
import type { Specification } from '../../../../spec/model/specification.js'
import { vocabularyWith } from '../../../evidence/describe.js'
import { Redactor } from '../../../evidence/redact.js'
import type { CheckTable } from '../../../judge/checks/index.js'
import { type Amounts, amountsOf } from '../../../plan/effort.js'
import type { DeploymentLoad, Plan } from '../../../plan/plan.js'
import { selectionOf } from '../../../plan/select.js'
import { NONCES, nonceOf } from '../../../target/accounts/fresh-account.js'
import type { Deployment, Target } from '../../../target/deployment.js'
import type { Wait } from '../transport/executor.js'
import { Semaphore } from '../transport/request-queue.js'

/** Of which results the report keeps the exchanges; `failed`: of those that could not be judged too. */
export type KeepExchanges = 'all' | 'failed' | 'none'

/** All that can be set for a run. */
export interface RunOptions {
  /** Patterns over case, rule and result ids. */
  readonly only?: readonly string[]
  /** The flag that chose what `only` names, for the report; default: `--only`. */
  readonly chosenBy?: NonNullable<Selection['chosenBy']>
  readonly skip?: readonly string[]
  /** Names of deployments. */
  readonly deployments?: readonly string[]
  /** A failed `should` gates too, and so do members that section 2.1 does not list. */
  readonly strict?: boolean
  /** 32 bits; random unless given. */
  readonly seed?: number
  /** How much is tried. `quick` tries the likeliest near misses alone, and its verdict is about these; default normal. */
  readonly effort?: Effort
  /** Inputs for each forall case; default: its near misses and a few drawn ones, at most 100. */
  readonly runs?: number
  /** The share of its inputs that a case gets, from 0 to 1; default: all. */
  readonly shareOf?: (testCase: Case) => number
  /** Whether a counterexample of the case is made smaller; default: each is. */
  readonly shrinks?: (testCase: Case) => boolean
  /** Only this part of the plan; the others are for other runs with the same seed. */
  readonly shard?: Shard
  /** Repeat one input of one case. */
  readonly replay?: Replay
  /** The words that a person types before `--replay ID` to repeat an input; for the report. */
  readonly command?: readonly string[]
  /** Exchanges in flight; default 8. */
  readonly concurrency?: number
  readonly maxDurationMs?: number
  /** Default: all. */
  readonly keepExchanges?: KeepExchanges
  /** Stop at the first failed result. */
  readonly bail?: boolean
  /** Failures at which `bail` does not stop. */
  readonly isKnown?: (result: Result) => boolean
  /** Stops the run; what was finished is reported. */
  readonly signal?: AbortSignal
  /** Called before the first request. */
  readonly onPlan?: (plan: Plan, start: ReportStart, loads: readonly DeploymentLoad[]) => void
  readonly onResult?: (result: Result) => void
  /** Called at the first failure of a case that judges every answer of a run: its result comes at the end. */
  readonly onFailing?: (soFar: Result) => void
  /** Called for each request that was sent to a deployment. */
  readonly onRequest?: () => void
  /** Called for each login that an answer of 2xx ended. */
  readonly onLogin?: (durationMs: number) => void
  /** Called for each exchange of a case, once it is over. */
  readonly onExchange?: (sent: TimedExchange) => void
  /** Called when requests are kept back because an answer asked for it: 429, or 503 with `Retry-After`. */
  readonly onWait?: (wait: Wait & { readonly deployment: string }) => void
  /** Called for each account that may be at a service, and when it is removed. */
  readonly onAccount?: (news: AccountNews) => void
  /** Default: the one that ships with the suite. */
  readonly specification?: Specification
  /** Default: the suite's own. */
  readonly checks?: CheckTable
}

/** An account of a run, and where it is: to be named where the run is ended before it has removed it. */
export interface AccountNews {
  readonly deployment: string
  readonly baseUrl: string
  readonly hasCleanUp: boolean
  readonly account: LeftAccount
  /** `made`, or maybe; `unknown`: the service has no such one. */
  readonly fate: 'made' | 'removed' | 'unknown'
}

/** When an exchange was in flight, and for which step of which case. */
export interface TimedExchange {
  readonly deployment: string
  readonly case: string
  readonly step: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  /** The status, or the kind of failure. */
  readonly outcome: string
}

/** For runs of which only the outcomes are read. */
export const OUTCOMES_ALONE: RunOptions = { keepExchanges: 'none' }

const DEFAULTS = {
  strict: false,
  effort: 'normal',
  shareOf: () => 1,
  shrinks: () => true,
  concurrency: 8,
  keepExchanges: 'all',
  bail: false,
} satisfies RunOptions

type WithDefault = keyof typeof DEFAULTS | 'seed' | 'specification' | 'signal'

/** The options of a run, complete, and what all parts of the engine share while it runs. Frozen. */
export interface RunContext extends Omit<RunOptions, WithDefault>, Required<Pick<RunOptions, WithDefault>> {
  readonly target: Target
  readonly startedAt: Date
  readonly selection: Selection
  readonly amounts: Amounts
  readonly cases: ReadonlyMap<string, Case>
  /** Of every case and observation a number of its own, by its id. */
  readonly places: ReadonlyMap<string, number>
  /** Makes the account names of this run differ from those of any other; shown as `‹run›`. */
  readonly nonce: string
  readonly redactor: Redactor
  /** Exchanges in flight, over all deployments. */
  readonly limit: Semaphore
  /** One after the other: what fails logins of one user, whom several deployments may share. */
  readonly inTurn: <T>(userName: string, task: () => Promise<T>) => Promise<T>
  /** Aborts when the run is to stop, for whatever reason. */
  readonly signal: AbortSignal
  readonly stop: (reason: string) => void
  /** Why the run was stopped, once it is. */
  readonly stopReason: () => string
  /** Whether it was stopped because its longest duration had passed. */
  readonly isOverdue: () => boolean
  /** Forgets the deadline and the caller's signal. */
  readonly end: () => void
}

/**
 * Begins a run: its deadline counts from here. Call `end` when it is over.
 * @param shown the deployments whose user names and base URLs its reports show
 */
export function createRunContext(
  target: Target,
  given: RunOptions,
  shown: readonly Deployment[] = target.deployments,
): RunContext {
  const options = { ...DEFAULTS, ...withoutUndefined(given) }
  const { replay } = options
  const specification = options.specification ?? loadSpecification()
  const redactor = new Redactor(target.secrets, vocabularyWith(shown, specification))
  const nonce = nonceOf(randomInt(NONCES))
  for (const spelling of [nonce, nonce.toUpperCase()]) redactor.learn(spelling, '‹run›', true)
  return Object.freeze({
    ...options,
    ...createStop(options),
    target,
    startedAt: new Date(),
    specification,
    seed: options.seed ?? randomBytes(4).readInt32BE(0),
    selection: selectionOf(
      replay === undefined
        ? options
        : { chosenBy: '--replay', only: [`${replay.deployment}/${replay.case}`] },
    ),
    amounts: amountsOf(options.effort, options.runs),
    cases: new Map(specification.cases.map((testCase) => [testCase.id, testCase])),
    places: new Map(
      [...specification.cases, ...specification.observations].map(({ id }, index) => [id, index]),
    ),
    nonce,
    redactor,
    limit: new Semaphore(options.concurrency),
    inTurn: turns(),
  })
}

function turns(): RunContext['inTurn'] {
  const ofUsers = new Map<string, Semaphore>()
  return (userName, task) => {
    const ofUser = ofUsers.get(userName) ?? new Semaphore(1)
    ofUsers.set(userName, ofUser)
    return ofUser.inTurn(task)
  }
}

/** Callers in plain JavaScript may give a key and no value. */
function withoutUndefined(options: RunOptions): RunOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function createStop({ signal, maxDurationMs }: RunOptions) {
  const controller = new AbortController()
  // Every connection and every waiting case listens to it.
  setMaxListeners(0, controller.signal)
  let stopReason = 'stopped'
  const stop = (reason: string): void => {
    if (controller.signal.aborted) return
    stopReason = reason
    controller.abort()
  }
  const onAbort = (): void => stop('stopped')
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  let overdue = false
  const onDeadline = (): void => {
    overdue = !controller.signal.aborted
    onAbort()
  }
  const deadline = maxDurationMs === undefined ? undefined : setTimeout(onDeadline, maxDurationMs).unref()
  const end = (): void => {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', onAbort)
  }
  return { signal: controller.signal, stop, stopReason: () => stopReason, isOverdue: () => overdue, end }
}
