import { RunTime } from '../../reports/formats/shared/run-time.js'
import type { Result } from '../../spec/model/report.js'
import { failsAsAdvice } from '../../spec/model/summary.js'

/** How far a run is. */
export class RunCounts extends RunTime {
  /** To expect. */
  results = 0
  finished = 0
  readonly #failed = new Set<string>()

  get failed(): number {
    return this.#failed.size
  }

  /** What is waived, and what is advice, is in the report. @returns whether it is a failure that was not known before */
  fails(result: Result): boolean {
    const { id, outcome, waived } = result
    if (outcome !== 'failed' || waived || failsAsAdvice(result) || this.#failed.has(id)) return false
    this.#failed.add(id)
    return true
  }
}
