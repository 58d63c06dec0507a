import type { Counterexample, Judgement } from '../../spec/model/report.js'
import type { Attempt } from '../assess/suite/attempt.js'

export interface Failure {
  readonly judgement: Judgement
  readonly attempt: Attempt
  readonly counterexample?: Counterexample
}

/** What many attempts of one case showed of one expectation. */
interface Seen {
  judged: number
  failures: number
  failed?: Failure & { readonly order: number }
  cantTell?: { readonly judgement: Judgement; readonly order: number }
  passed?: Judgement
  inapplicable?: Judgement
}

/**
 * Adds up the judgements of many attempts, expectation by expectation. What was seen once stays seen: a failure is kept
 * even when nothing repeats it. Of several, the first in `order` is kept, so that concurrency changes nothing.
 */
export class Tally {
  readonly #seen: Seen[] = []
  #attempts = 0

  get attempts(): number {
    return this.#attempts
  }

  add(attempt: Attempt, order: number = this.#attempts): void {
    this.#attempts++
    for (const [index, judgement] of attempt.judgements.entries()) {
      this.#seen[index] ??= { judged: 0, failures: 0 }
      const seen = this.#seen[index]
      seen.judged++
      switch (judgement.outcome) {
        case 'failed':
          seen.failures++
          if (order < (seen.failed?.order ?? Number.POSITIVE_INFINITY))
            seen.failed = { judgement, attempt, order }
          break
        case 'cantTell':
          if (order < (seen.cantTell?.order ?? Number.POSITIVE_INFINITY)) seen.cantTell = { judgement, order }
          break
        case 'passed':
          seen.passed = judgement
          break
        default:
          seen.inapplicable ??= judgement
      }
    }
  }

  /** Puts a smaller counterexample in the place of a failure. */
  prefer(index: number, failure: Failure): void {
    const seen = this.#seen[index]
    if (seen?.failed !== undefined) seen.failed = { ...failure, order: seen.failed.order }
  }

  /** For each expectation that failed, by its place: the first attempt that failed it, or the preferred one. */
  get failures(): ReadonlyMap<number, Failure> {
    return new Map(this.#seen.flatMap(({ failed }, index) => (failed === undefined ? [] : [[index, failed]])))
  }

  /** One judgement for each expectation: the worst seen. @param many whether to say in how many of the attempts. */
  judgements(many = false): readonly Judgement[] {
    return this.#seen.map(({ failed, cantTell, passed, inapplicable, failures, judged }) => {
      const judgement = failed?.judgement ?? cantTell?.judgement ?? passed ?? inapplicable
      // Each attempt that was added filled in one of them.
      if (judgement === undefined) throw new TypeError('an expectation was never judged')
      if (failed === undefined || failures === judged) return judgement
      if (failures === 1) return { ...judgement, reason: `seen once in ${judged}` }
      return many ? { ...judgement, reason: `seen in ${failures} of ${judged}` } : judgement
    })
  }
}
