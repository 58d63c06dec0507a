import type { Judgement, ReportExchange, Result } from '../../../spec/model/report.js'
import { worst } from '../../../spec/model/summary.js'
import { NOT_EXERCISED } from '../../../spec/model/verdict.js'
import { shorten } from '../../evidence/shorten.js'

/** A result before anything went by. */
export interface PlannedCase {
  /** `<deployment>/<case>`. */
  readonly id: string
  readonly case: string
  readonly deployment: string
  readonly title: string
  /** One for each judgement that it gets. */
  readonly rules: readonly string[]
  /** It shows nothing where no valid request was granted. */
  readonly hasControl?: boolean
}

/** An exchange as it may be shown, and what may be shown of a judgement about it. */
export interface Evidence {
  readonly exchange: ReportExchange
  readonly redact: (judgement: Judgement) => Judgement
}

interface Seen {
  judged: number
  failures: number
  failed?: Judgement
  cantTell?: Judgement
  passed?: Judgement
  inapplicable?: Judgement
}

/** Adds up what many exchanges show of one case. Of several failures of a rule the first is kept, with its exchange. */
export class CaseTally {
  readonly #planned: PlannedCase
  readonly #seen: Seen[]
  readonly #exchanges: ReportExchange[] = []
  #runs = 0

  constructor(planned: PlannedCase) {
    this.#planned = planned
    this.#seen = planned.rules.map(() => ({ judged: 0, failures: 0 }))
  }

  /** @param judgements in the order of the planned rules @param evidence made only where it is kept */
  add(judgements: readonly Judgement[], evidence: () => Evidence): void {
    this.#runs++
    let made: Evidence | undefined
    let place = -1
    for (const [index, judgement] of judgements.entries()) {
      const seen = this.#seen[index]
      if (seen === undefined) continue
      seen.judged++
      if (judgement.outcome === 'failed') {
        seen.failures++
        if (seen.failed !== undefined) continue
        made ??= evidence()
        if (place < 0) place = this.#exchanges.push(made.exchange) - 1
        seen.failed = { ...shorten(made.redact(judgement)), exchanges: [place] }
      } else if (judgement.outcome === 'cantTell') {
        if (seen.cantTell !== undefined) continue
        made ??= evidence()
        seen.cantTell = made.redact(judgement)
      } else if (judgement.outcome === 'passed') seen.passed = judgement
      else seen.inapplicable ??= judgement
    }
  }

  /** @param unproven why what was seen shows nothing; undefined where it does */
  result(unproven?: string): Result {
    const { rules, hasControl: _, ...head } = this.#planned
    if (this.#runs === 0)
      return {
        ...head,
        outcome: 'untested',
        reason: NOT_EXERCISED,
        durationMs: 0,
        runs: 0,
        judgements: rules.map((rule) => ({ rule, outcome: 'untested', reason: NOT_EXERCISED })),
        exchanges: [],
      }
    const judgements = rules.map((rule, index): Judgement => {
      const judgement = judgementOf(rule, this.#seen[index])
      const isDecided = judgement.outcome === 'passed' || judgement.outcome === 'failed'
      return isDecided && unproven !== undefined ? { rule, outcome: 'cantTell', reason: unproven } : judgement
    })
    const outcome = worst(judgements.map((judgement) => judgement.outcome)) ?? 'untested'
    const reason = judgements.find((judgement) => judgement.outcome === outcome)?.reason
    const isOpen = outcome !== 'passed' && outcome !== 'failed' && reason !== undefined
    return {
      ...head,
      outcome,
      ...(isOpen ? { reason } : {}),
      durationMs: 0,
      runs: this.#runs,
      judgements,
      exchanges: this.#exchanges,
    }
  }
}

function judgementOf(rule: string, seen: Seen | undefined): Judgement {
  const { judged = 0, failures = 0, failed, cantTell, passed, inapplicable } = seen ?? {}
  if (failed !== undefined)
    return failures === judged ? failed : { ...failed, reason: `seen in ${failures} of ${judged}` }
  return cantTell ?? passed ?? inapplicable ?? { rule, outcome: 'untested', reason: NOT_EXERCISED }
}
