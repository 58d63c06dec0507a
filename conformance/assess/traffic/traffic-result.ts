import type { Judgement, Result } from '../../../spec/model/report.js'
import { worst } from '../../../spec/model/summary.js'
import { NOT_EXERCISED } from '../../../spec/model/verdict.js'
import { shorten } from '../../evidence/shorten.js'
import type { Tally } from '../../judge/tally.js'
import type { PlannedCase } from './plan-traffic.js'
import type { ShownTraffic } from './traffic-evidence.js'

/**
 * What many exchanges showed of one case. Of several failures of a rule the first is shown, with its exchange.
 * @param unproven why what was seen shows nothing; undefined where it does
 */
export function trafficResult(
  { rules, hasControl: _, ...head }: PlannedCase,
  tally: Tally<ShownTraffic>,
  unproven: string | undefined,
): Result {
  if (tally.size === 0) {
    const judgements = rules.map((rule): Judgement => ({ rule, outcome: 'untested', reason: NOT_EXERCISED }))
    const open = { outcome: 'untested', reason: NOT_EXERCISED, durationMs: 0, runs: 0 } as const
    return { ...head, ...open, judgements, exchanges: [] }
  }
  const failures = [...tally.failures.values()].toSorted((a, b) => a.order - b.order)
  const exchanges = [...new Set(failures.map(({ evidence }) => evidence.exchange))]
  const judgements = tally.judgements({
    isCounted: true,
    show: ({ judgement, evidence }) => {
      const { rule, outcome } = judgement
      const shown = evidence.judgements.get(judgement) ?? { rule, outcome }
      return outcome === 'failed'
        ? { ...shorten(shown), exchanges: [exchanges.indexOf(evidence.exchange)] }
        : shown
    },
  })
  const proven = judgements.map((judgement): Judgement => {
    const isDecided = judgement.outcome === 'passed' || judgement.outcome === 'failed'
    return isDecided && unproven !== undefined
      ? { rule: judgement.rule, outcome: 'cantTell', reason: unproven }
      : judgement
  })
  const outcome = worst(proven.map((judgement) => judgement.outcome)) ?? 'untested'
  const reason = proven.find((judgement) => judgement.outcome === outcome)?.reason
  const isOpen = outcome !== 'passed' && outcome !== 'failed' && reason !== undefined
  return {
    ...head,
    outcome,
    ...(isOpen ? { reason } : {}),
    durationMs: 0,
    runs: tally.size,
    judgements: proven,
    exchanges,
  }
}
