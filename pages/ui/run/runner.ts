import { assessTarget } from '../../../conformance/assess/assess-target.js'
import type { Target } from '../../../conformance/target/deployment.js'
import { loadSpecification } from '../../../spec/load/specification.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Report, Result } from '../../../spec/model/report.js'
import { errorMessage } from '../error-message.js'
import { createLiveRun, type LiveRun } from './live-run.js'
import { countProgress, type ProgressCounter, type RunFigures } from './run-progress.js'
import { createEditedRequests } from './send-edited.js'

export type RunPhase = 'idle' | 'running' | 'stopping' | 'done'

export interface RunStatus extends RunFigures {
  readonly phase: RunPhase
  /** Whether it is a run of a part: its verdict is about that part only. */
  readonly isPart: boolean
  /** Why the run could not be made. */
  readonly problem: string | undefined
}

/** What changes while something runs; each is called often. */
export interface RunListener {
  /** Before anything is sent. @throws AssayError where the run must not begin */
  onBegin(target: Target, isPart: boolean): void
  onStart(): void
  onResult(rules: readonly string[]): void
  onProgress(): void
  /** @param report of a run of everything, where there is one that `close` does not return */
  onEnd(report: Report | undefined, isStopped: boolean): void
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
  sendEdited(target: Target, resultId: string, label: string, text: string): Promise<Result>
  idle(): Promise<unknown>
  /** Stops what runs, and lets nothing begin. @returns the partial report of a run that was stopped */
  close(): Promise<Report | undefined>
}

interface StartedRun {
  readonly target?: Target
  /** The patterns of a run of a part. */
  readonly only?: readonly string[] | undefined
  readonly progress: ProgressCounter
  readonly controller: AbortController
  problem?: string
}

const BUSY = 'A run is in progress: stop it first, or wait until it ends.'

/** @param now milliseconds of a clock that does not go back */
export function createRunner(listener: RunListener, now: () => number = () => performance.now()): Runner {
  const specification = loadSpecification()
  const live = createLiveRun(specification.requirements, () => isBusy() && current.only === undefined)
  let phase: RunPhase = 'idle'
  let current = newRun(listener, now)
  let report: Report | undefined
  let running: Promise<Report | undefined> = Promise.resolve(undefined)
  let isClosed = false
  const edited = createEditedRequests(specification)

  const addResult = (result: Result): void => {
    // What a part leaves out keeps what is known of it.
    if (current.only !== undefined && result.outcome === 'untested') return
    current.progress.addResult(result)
    listener.onResult(live.add(result))
  }
  const isBusy = (): boolean => phase === 'running' || phase === 'stopping'
  const stop = (): void => {
    if (phase !== 'running') return
    phase = 'stopping'
    current.controller.abort()
    listener.onProgress()
  }
  const assess = async (target: Target, { only, progress, controller: { signal } }: StartedRun) => {
    // The inputs that failed before are tried again.
    const part = only && { only, ...(report && { seed: report.seed }) }
    const found = await assessTarget(target, { ...part, ...progress.hooks, signal, onResult: addResult })
    if (only === undefined) report = found
    phase = 'done'
    listener.onEnd(only === undefined && !isClosed ? found : undefined, signal.aborted)
    return found
  }
  return {
    live,
    status: () => ({
      ...current.progress.figures(),
      phase,
      isPart: current.only !== undefined,
      problem: current.problem,
    }),
    report: () => report,
    target: () => current.target,
    async start(target, only) {
      if (isClosed || isBusy()) throw new AssayError('usage', BUSY)
      listener.onBegin(target, only !== undefined)
      phase = 'running'
      const started = newRun(listener, now, target, only)
      current = started
      live.begin(only !== undefined)
      listener.onStart()
      running = assess(target, started).catch((error: unknown) => {
        phase = 'done'
        started.problem = errorMessage(error)
        listener.onEnd(undefined, started.controller.signal.aborted)
        return undefined
      })
    },
    stop,
    sendEdited: (target, resultId, label, text) =>
      edited.send({ target, result: live.result(resultId), label, text }),
    idle: () => running,
    async close() {
      const stopped = isBusy() ? running : undefined
      isClosed = true
      stop()
      await edited.close()
      return stopped
    },
  }
}

function newRun(
  listener: RunListener,
  now: () => number,
  target?: Target,
  only?: readonly string[],
): StartedRun {
  const progress = countProgress(() => listener.onProgress(), now)
  return { ...(target && { target }), only, progress, controller: new AbortController() }
}
