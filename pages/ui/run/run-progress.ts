import type { RunOptions } from '../../../conformance/assess/assess-target.js'
import { RunTime } from '../../../reports/formats/shared/run-time.js'
import type { Result } from '../../../spec/model/report.js'

/** How far a run is, in figures. */
export interface RunFigures {
  /** Of the cases that the report counts. */
  readonly planned: number
  readonly finished: number
  /** Of those that are finished: nothing is sent for them. */
  readonly inapplicable: number
  readonly sent: number
  readonly failures: number
  /** Undefined: not known. */
  readonly msLeft: number | undefined
  /** What the first answers say of a long run. */
  readonly foretold: string | undefined
  /** Where requests are kept back because the service asked for it. */
  readonly wait: { readonly msLeft: number; readonly status: number } | undefined
}

export interface ProgressCounter {
  readonly hooks: Pick<RunOptions, 'onPlan' | 'onRequest' | 'onLogin' | 'onWait'>
  addResult(result: Result): void
  figures(): RunFigures
}

/** @param onChange called for each plan, request and wait @param now milliseconds of a clock that does not go back */
export function countProgress(onChange: () => void, now: () => number): ProgressCounter {
  const time = new RunTime(now())
  let [planned, finished, inapplicable, failures] = [0, 0, 0, 0]
  let foretold: string | undefined
  let wait = { until: Number.NEGATIVE_INFINITY, status: 0 }
  return {
    hooks: {
      onPlan: ({ items }, _start, loads) => {
        planned = items.filter(({ not }) => not?.outcome !== 'untested').length
        time.planned = loads.reduce((sum, { requests }) => sum + requests, 0)
        onChange()
      },
      onRequest: () => {
        time.sent(now())
        foretold ??= time.sentence(now())
        onChange()
      },
      onLogin: (durationMs) => time.loggedIn(durationMs),
      onWait: ({ waitMs, status }) => {
        wait = { until: now() + waitMs, status }
        onChange()
      },
    },
    addResult({ outcome }) {
      finished += 1
      if (outcome === 'inapplicable') inapplicable += 1
      if (outcome === 'failed') failures += 1
    },
    figures: () => ({
      planned,
      finished,
      inapplicable,
      sent: time.requests,
      failures,
      msLeft: time.leftMs(now()),
      foretold,
      wait: now() < wait.until ? { msLeft: wait.until - now(), status: wait.status } : undefined,
    }),
  }
}
