import type { Result } from '../../spec/model/report.js'
import { failsAsAdvice } from '../../spec/model/summary.js'

/** The first requests of a run follow one another, so that they say little of its rate. */
const FIRST_SENT = 40
/** An earlier estimate would only flicker. */
const ESTIMATE_AFTER_MS = 1500
/** A run is faster in some parts than in others: only what was sent lately counts. */
const WINDOW_MS = 5000
const MARK_EVERY_MS = 500

/** How far a run is, and how fast requests have been sent of late. Times in milliseconds, of one clock. */
export class RunCounts {
  /** Results to expect, and requests that may be sent. */
  planned = { results: 0, requests: 0 }
  finished = 0
  requests = 0
  readonly #failed = new Set<string>()
  readonly #marks: { readonly at: number; readonly requests: number }[] = []

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

  sent(at: number): void {
    this.requests += 1
    const last = this.#marks.at(-1)
    if (this.requests < FIRST_SENT || (last !== undefined && at - last.at < MARK_EVERY_MS)) return
    this.#marks.push({ at, requests: this.requests })
    const [, second] = this.#marks
    if (second !== undefined && at - second.at >= WINDOW_MS) this.#marks.shift()
  }

  /** Undefined where it is too early to say. */
  perSecond(at: number): number | undefined {
    const [first] = this.#marks
    if (first === undefined || at - first.at < ESTIMATE_AFTER_MS) return undefined
    return ((this.requests - first.requests) / (at - first.at)) * 1000
  }

  /** What is left of the planned requests, undefined where that is not known. */
  leftMs(at: number): number | undefined {
    const each = this.perSecond(at)
    const expected = this.planned.requests
    if (expected === 0 || each === undefined || each === 0) return undefined
    return (Math.max(0, expected - this.requests) / each) * 1000
  }
}
