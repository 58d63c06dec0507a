import { assessTarget, type RunOptions } from '../../../conformance/assess/assess-target.js'
import type { Target } from '../../../conformance/target/deployment.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Report, Result } from '../../../spec/model/report.js'
import { EDITED, readRequest, withEdited } from './edit-request.js'
import { createLiveRun, type LiveRun } from './live-run.js'
import { countRequests, type RequestCount } from './requests-left.js'

export type RunPhase = 'idle' | 'running' | 'stopping' | 'done'

/** How far a run is. */
export interface RunStatus {
  readonly phase: RunPhase
  /** Whether it is a run of a part: its verdict is about that part only. */
  readonly isPart: boolean
  readonly planned: number
  readonly finished: number
  readonly sent: number
  readonly failures: number
  readonly msLeft: number | undefined
  /** Where requests are kept back because the service asked for it. */
  readonly wait: { readonly msLeft: number; readonly status: number } | undefined
  readonly problem: string | undefined
}

/** What changes while something runs; each is called often. */
export interface RunListener {
  onStart(): void
  onResult(rules: readonly string[]): void
  onProgress(): void
  /** @param report of a whole run that was not stopped, else undefined */
  onEnd(report: Report | undefined): void
}

/** One run at a time. */
export interface Runner {
  readonly live: LiveRun
  readonly status: () => RunStatus
  /** The newest report of all cases. */
  readonly report: () => Report | undefined
  /** What the last run tested. */
  readonly target: () => Target | undefined
  /** Tests everything, or what these patterns match. @throws AssayError before anything is sent */
  start(target: Target, only?: readonly string[]): Promise<void>
  stop(): void
  /** Sends the case of a result with one request edited. @throws AssayError */
  sendEdited(resultId: string, label: string, text: string): Promise<Result>
  /** Resolves when nothing runs. */
  idle(): Promise<void>
}

/** Of an inputs-drawing case, as `run` has it. */
const RUNS = 100

/** @param now milliseconds of a clock that does not go back */
export function createRunner(listener: RunListener, now: () => number = () => performance.now()): Runner {
  const specification = loadSpecification()
  const live = createLiveRun(specification.requirements)
  let phase: RunPhase = 'idle'
  let isPart = false
  let [planned, finished, sent, failures] = [0, 0, 0, 0]
  let requests: RequestCount | undefined
  let startedAt = 0
  let waiting = { until: Number.NEGATIVE_INFINITY, status: 0 }
  let problem: string | undefined
  let report: Report | undefined
  let target: Target | undefined
  let controller = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const isBusy = (): boolean => phase === 'running' || phase === 'stopping'

  const begin = (of: Target, part: boolean): void => {
    ;[planned, finished, sent, failures] = [0, 0, 0, 0]
    phase = 'running'
    isPart = part
    target = of
    problem = undefined
    requests = undefined
    waiting = { until: Number.NEGATIVE_INFINITY, status: 0 }
    startedAt = now()
    controller = new AbortController()
    if (!part) live.clear()
    listener.onStart()
  }
  const optionsOf = (only: readonly string[] | undefined): RunOptions => ({
    ...(only === undefined ? {} : { only }),
    // The inputs that failed before are tried again.
    ...(only === undefined || report === undefined ? {} : { seed: report.seed }),
    signal: controller.signal,
    onPlan: ({ items }) => {
      planned = items.filter(({ not }) => not === undefined).length
      requests = countRequests(items, RUNS)
      listener.onProgress()
    },
    onRequest: () => {
      sent += 1
      listener.onProgress()
    },
    onWait: ({ waitMs, status }) => {
      waiting = { until: now() + waitMs, status }
      listener.onProgress()
    },
    onResult: (result) => {
      // What a part leaves out keeps what is known of it.
      if (isPart && result.outcome === 'untested') return
      if (result.outcome !== 'inapplicable' && result.outcome !== 'untested') finished += 1
      if (result.outcome === 'failed') failures += 1
      requests?.finished(result)
      listener.onResult(live.add(result))
    },
  })
  return {
    live,
    status: () => ({
      phase,
      isPart,
      planned,
      finished,
      sent,
      failures,
      msLeft: phase === 'running' ? requests?.msLeft(sent, now() - startedAt) : undefined,
      wait: now() < waiting.until ? { msLeft: waiting.until - now(), status: waiting.status } : undefined,
      problem,
    }),
    report: () => report,
    target: () => target,
    async start(of, only) {
      refuseWhile(isBusy())
      begin(of, only !== undefined)
      running = assessTarget(of, optionsOf(only))
        .then((found) => {
          const isWhole = only === undefined && !controller.signal.aborted
          if (only === undefined) report = found
          phase = 'done'
          listener.onEnd(isWhole ? found : undefined)
        })
        .catch((error: unknown) => {
          phase = 'done'
          problem = messageOf(error)
          listener.onEnd(undefined)
        })
    },
    stop() {
      if (phase !== 'running') return
      phase = 'stopping'
      controller.abort()
      listener.onProgress()
    },
    async sendEdited(resultId, label, text) {
      const result = live.result(resultId)
      const testCase = specification.cases.find(({ id }) => id === result?.case)
      const deployment = target?.deployments.find(({ name }) => name === result?.deployment)
      if (target === undefined || deployment === undefined || testCase === undefined)
        throw new AssayError('usage', 'There is no such result any more: run it again first.')
      const edited = withEdited(specification, testCase, label, readRequest(text, deployment))
      const found = await assessTarget(target, {
        specification: edited,
        only: [`${deployment.name}/${EDITED}`],
        deployments: [deployment.name],
        signal: controller.signal.aborted ? new AbortController().signal : controller.signal,
      })
      const own = found.results.find((one) => one.case === EDITED)
      if (own === undefined) throw new TypeError('the edited case was planned')
      return own
    },
    idle: () => running,
  }
}

function refuseWhile(isBusy: boolean): void {
  if (isBusy) throw new AssayError('usage', 'A run is in progress: stop it first, or wait for its end.')
}

/** Of misuse the message; of anything else no more than that it is a bug: a page shows no stack. */
function messageOf(error: unknown): string {
  if (error instanceof AssayError) return error.message
  const what = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  return `This is a bug in token-assay, not in your service (${what}).`
}
