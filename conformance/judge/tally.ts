import { type Judgement, SEEN } from '../../spec/model/report.js'

/** A judgement that is kept, with what shows it. */
export interface KeptJudgement<Evidence> {
  readonly judgement: Judgement
  readonly evidence: Evidence
  /** Among all that was judged: of several, the first is kept. */
  readonly order: number
}

/** What was seen of one expectation. */
interface Seen<Evidence> {
  judged: number
  failures: number
  failed?: KeptJudgement<Evidence>
  cantTell?: KeptJudgement<Evidence>
  passed?: Judgement
  inapplicable?: Judgement
}

/**
 * Adds up the judgements of many exchanges, expectation by expectation. What was seen once stays seen: a failure is kept
 * even when nothing repeats it. Of several, the first in `order` is kept, so that concurrency changes nothing.
 */
export class Tally<Evidence> {
  readonly #seen: Seen<Evidence>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /**
   * @param judgements one for each expectation, always in the same order
   * @param evidence called at most once, and only where a judgement is kept
   */
  add(judgements: readonly Judgement[], evidence: () => Evidence, order: number = this.#size): void {
    this.#size++
    let made: { readonly evidence: Evidence } | undefined
    const keep = (judgement: Judgement): KeptJudgement<Evidence> => {
      made ??= { evidence: evidence() }
      return { judgement, ...made, order }
    }
    for (const [index, judgement] of judgements.entries()) {
      this.#seen[index] ??= { judged: 0, failures: 0 }
      const seen = this.#seen[index]
      seen.judged++
      switch (judgement.outcome) {
        case 'failed':
          seen.failures++
          if (isEarlier(order, seen.failed)) seen.failed = keep(judgement)
          break
        case 'cantTell':
          if (isEarlier(order, seen.cantTell)) seen.cantTell = keep(judgement)
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
  prefer(index: number, judgement: Judgement, evidence: Evidence): void {
    const seen = this.#seen[index]
    if (seen?.failed !== undefined) seen.failed = { ...seen.failed, judgement, evidence }
  }

  /** By the place of each expectation that failed: the first failure, or the preferred one. */
  get failures(): ReadonlyMap<number, KeptJudgement<Evidence>> {
    return new Map(this.#seen.flatMap(({ failed }, index) => (failed === undefined ? [] : [[index, failed]])))
  }

  /**
   * One judgement for each expectation: the worst seen.
   * @param isCounted whether to say in how many of them a failure was seen, where it was not seen once or always
   * @param show what may be shown of a judgement, by its evidence
   */
  judgements({ isCounted = false, show = shownAsItIs }: TallyView<Evidence> = {}): readonly Judgement[] {
    return this.#seen.map(({ failed, cantTell, passed, inapplicable, failures, judged }) => {
      const kept = failed ?? cantTell
      const judgement = kept === undefined ? (passed ?? inapplicable) : show(kept)
      // Each time that something was added filled in one of them.
      if (judgement === undefined) throw new TypeError('an expectation was never judged')
      if (failed === undefined || failures === judged) return judgement
      if (failures === 1) return { ...judgement, reason: `${SEEN} once in ${judged}` }
      return isCounted ? { ...judgement, reason: `${SEEN} in ${failures} of ${judged}` } : judgement
    })
  }
}

interface TallyView<Evidence> {
  readonly isCounted?: boolean
  readonly show?: (kept: KeptJudgement<Evidence>) => Judgement
}

function shownAsItIs({ judgement }: KeptJudgement<unknown>): Judgement {
  return judgement
}

function isEarlier(order: number, kept: { readonly order: number } | undefined): boolean {
  return kept === undefined || order < kept.order
}
