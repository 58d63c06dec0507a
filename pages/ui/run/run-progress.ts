import type { RunOptions } from '../../../conformance/assess/assess-target.js'
import type { Result } from '../../../spec/model/report.js'
import { estimateRequests, type RequestEstimate } from './requests-left.js'

/** How far a run is, in figures. */
export interface RunFigures {
  readonly planned: number
  readonly finished: number
  readonly sent: number
  readonly failures: number
  /** Undefined: too early to say. */
  readonly msLeft: number | undefined
  /** Where requests are kept back because the service asked for it. */
  readonly wait: { readonly msLeft: number; readonly status: number } | undefined
}

/** Counts what one run does. */
export interface ProgressCounter {
  /** What the run is to call. */
  readonly hooks: Pick<RunOptions, 'onPlan' | 'onRequest' | 'onWait'>
  addResult(result: Result): void
  figures(): RunFigures
}

/** The inputs of a case that draws them, as `run` has it by default. */
const RUNS = 100

/** @param onChange called for each plan, request and wait @param now milliseconds of a clock that does not go back */
export function countProgress(onChange: () => void, now: () => number): ProgressCounter {
  const startedAt = now()
  let [planned, finished, sent, failures] = [0, 0, 0, 0]
  let estimate: RequestEstimate | undefined
  let wait = { until: Number.NEGATIVE_INFINITY, status: 0 }
  return {
    hooks: {
      onPlan: ({ items }) => {
        planned = items.filter(({ not }) => not === undefined).length
        estimate = estimateRequests(items, RUNS)
        onChange()
      },
      onRequest: () => {
        sent += 1
        onChange()
      },
      onWait: ({ waitMs, status }) => {
        wait = { until: now() + waitMs, status }
        onChange()
      },
    },
    addResult(result) {
      if (result.outcome !== 'inapplicable' && result.outcome !== 'untested') finished += 1
      if (result.outcome === 'failed') failures += 1
      estimate?.finished(result)
    },
    figures: () => ({
      planned,
      finished,
      sent,
      failures,
      msLeft: estimate?.msLeft(sent, now() - startedAt),
      wait: now() < wait.until ? { msLeft: wait.until - now(), status: wait.status } : undefined,
    }),
  }
}
