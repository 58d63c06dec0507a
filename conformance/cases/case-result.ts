import type { Counterexample, Judgement, Outcome, ReportExchange, Result } from '../../spec/types.js'
import { worst } from '../../spec/worst.js'
import { reportExchange } from '../evidence/report-exchange.js'
import { reproduce } from '../evidence/reproduce.js'
import type { Planned } from '../plan.js'
import type { KeepExchanges, Sent, Session } from '../session/session.js'

/** What a case showed, before it is written down. */
export interface Findings {
  readonly judgements: readonly Judgement[]
  /** What the report shows of what was sent, in the order of sending. */
  readonly sent: readonly Sent[]
  /** The request that a failure is about. */
  readonly failing?: Sent | undefined
  readonly stopped: boolean
  readonly runs?: number
  readonly counterexample?: Counterexample | undefined
}

/** Writes down what a case showed: redacted, and with the means to repeat a failure. */
export function toResult(
  session: Session,
  planned: Planned,
  findings: Findings,
  durationMs: number,
  seed: () => number,
): Result {
  const { id, case: subject, deployment } = planned
  const failed = findings.judgements.some(({ outcome }) => outcome === 'failed')
  const common = { id, case: subject.id, deployment: deployment.name, title: subject.title }
  const { redactor } = session
  const stopped = findings.stopped && !failed
  const outcome = stopped
    ? 'untested'
    : (worst(findings.judgements.map((judgement) => judgement.outcome)) ?? 'cantTell')
  const exchanges = keeps(session.keepExchanges, outcome)
    ? findings.sent.map(
        (sent): ReportExchange =>
          reportExchange(sent.label, sent.prepared, sent.exchange, sent.target, redactor),
      )
    : []
  const duration = Math.round(durationMs * 1000) / 1000
  if (stopped) return notRun(planned, 'untested', 'stopped', duration, exchanges)
  const { failing, counterexample } = findings
  const reason =
    outcome === 'cantTell' ? findings.judgements.find((j) => j.outcome === outcome)?.reason : undefined
  return {
    ...common,
    outcome,
    ...(reason === undefined ? {} : { reason: redactor.text(reason) }),
    durationMs: duration,
    ...(findings.runs === undefined ? {} : { runs: findings.runs }),
    judgements: findings.judgements.map((judgement) => redactor.value(judgement)),
    exchanges,
    ...(counterexample === undefined ? {} : { counterexample: redactor.value(counterexample) }),
    ...(outcome === 'failed' ? { replay: replayOf(id, seed(), counterexample) } : {}),
    ...(outcome === 'failed' && failing !== undefined
      ? { reproduce: reproduce(failing.prepared, failing.target, redactor, deployment.accounts) }
      : {}),
  }
}

function keeps(which: KeepExchanges, outcome: Outcome): boolean {
  return which === 'all' || (which === 'failed' && (outcome === 'failed' || outcome === 'cantTell'))
}

/** What `--replay` takes: `DEPLOYMENT/CASE@SEED:PATH[#REPLAYPATH]`. */
function replayOf(id: string, seed: number, counterexample: Counterexample | undefined): string {
  if (counterexample === undefined) return `${id}@${seed}:0`
  const { seed: own, path, replayPath } = counterexample
  return `${id}@${own}:${path}${replayPath === undefined ? '' : `#${replayPath}`}`
}

/** A result for what was not run, or not to its end. */
export function notRun(
  { id, case: subject, deployment }: Planned,
  outcome: 'untested' | 'inapplicable',
  reason: string,
  durationMs = 0,
  exchanges: readonly ReportExchange[] = [],
): Result {
  const judgements = subject.steps.flatMap(({ expect }) =>
    (expect ?? []).map(({ rule }): Judgement => ({ rule, outcome, reason })),
  )
  const common = { id, case: subject.id, deployment: deployment.name, title: subject.title }
  return { ...common, outcome, reason, durationMs, judgements, exchanges }
}
