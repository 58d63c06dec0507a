import type { Case } from '../../../spec/model/case.js'
import type { Judgement, Outcome, ReportExchange, Result } from '../../../spec/model/report.js'
import { worst } from '../../../spec/model/summary.js'
import type { CaseRun } from '../../drivers/send/session/case-run.js'
import type { KeepExchanges, RunContext } from '../../drivers/send/session/run-context.js'
import type { CaseRecord, SentRequest } from '../../drivers/send/session/session.js'
import { renderSent } from '../../evidence/render-exchange.js'
import type { Planned } from '../../plan/plan.js'
import { judgedRules } from '../../plan/select.js'
import { repeatOf, shorten } from './repeat.js'

/**
 * Writes down what a case showed: redacted, and with the means to repeat a failure.
 * @param isAgain whether it is the second time
 */
export function toResult(
  run: CaseRun,
  record: CaseRecord,
  durationMs: number,
  { isAgain = false } = {},
): Result {
  const { deployment, run: context } = run.session
  const { redactor } = context
  const id = `${deployment.name}/${run.testCase.id}`
  const isJudged = judgedRulesOf(run)
  // The evidence of each is found by its place among all of them.
  const unread = run.session.unread.get(run.testCase.id)
  const judgements = record.judgements.flatMap((judged, index) => {
    const judgement = unread === undefined ? judged : withoutPass(judged, unread)
    return isJudged(judgement.rule) ? [{ judgement, evidence: record.evidence?.get(index) }] : []
  })
  const judged = worst(judgements.map(({ judgement }) => judgement.outcome)) ?? 'cantTell'
  const failed = judged === 'failed'
  const stopped = record.stopped && !failed
  const outcome = stopped ? 'untested' : judged
  // A second pass records no exchanges.
  const exchanges =
    keeps(context.keepExchanges, outcome) && (failed || !isAgain)
      ? record.sent.map((sent) => renderSent(sent, redactor))
      : []
  const duration = Math.round(durationMs * 1000) / 1000
  if (stopped) {
    const planned = { id, case: run.testCase, deployment }
    return notRun(planned, 'untested', context.stopReason(), duration, exchanges)
  }
  const reason =
    outcome === 'cantTell'
      ? judgements.find(({ judgement }) => judgement.outcome === outcome)?.judgement.reason
      : undefined
  return {
    id,
    case: run.testCase.id,
    deployment: deployment.name,
    title: run.testCase.title,
    outcome,
    ...(reason === undefined ? {} : { reason: redactor.text(reason) }),
    durationMs: duration,
    ...(record.runs === undefined ? {} : { runs: record.runs }),
    judgements: judgements.map(({ judgement: { rule, outcome, ...shownParts }, evidence }) => {
      // The first are the suite's own words.
      const shown = { rule, outcome, ...advisoryOf(run.testCase, rule), ...redactor.value(shownParts) }
      return outcome === 'failed'
        ? { ...shorten(shown), ...repeatOf(run, id, record, evidence, exchanges.length > 0) }
        : shown
    }),
    exchanges,
  }
}

function withoutPass(judgement: Judgement, reason: string): Judgement {
  return judgement.outcome === 'passed' ? { rule: judgement.rule, outcome: 'cantTell', reason } : judgement
}

/** Which rules of a case its run judges. */
export function judgedRulesOf({ session, testCase }: CaseRun): (rule: string) => boolean {
  const id = `${session.deployment.name}/${testCase.id}`
  return judgedRules(session.run.selection, { id, case: testCase.id })
}

/** A result for what need not be sent. @param login shows why, where this result is to show it */
export function notTried(
  { redactor, keepExchanges }: RunContext,
  item: Planned,
  reason: string,
  login?: SentRequest,
): Result {
  const isShown = login !== undefined && keeps(keepExchanges, 'cantTell')
  return notRun(item, 'cantTell', redactor.text(reason), 0, isShown ? [renderSent(login, redactor)] : [])
}

function advisoryOf({ advisory }: Case, rule: string): Pick<Judgement, 'advisory'> {
  return advisory?.includes(rule) ? { advisory: true } : {}
}

function keeps(which: KeepExchanges, outcome: Outcome): boolean {
  return which === 'all' || (which === 'failed' && (outcome === 'failed' || outcome === 'cantTell'))
}

/** The results of a run that is stopped before it begins. Those of one case share their judgements: there may be thousands. */
export function untestedResults(planned: readonly Planned[]): readonly Result[] {
  const byCase = new Map<Case, Result>()
  return planned.map((item) => {
    const result = byCase.get(item.case) ?? notRun(item, 'untested', 'stopped')
    byCase.set(item.case, result)
    return { ...result, id: item.id, deployment: item.deployment.name }
  })
}

/** A result for what was not run, or not to its end. */
export function notRun(
  { id, case: testCase, deployment }: Pick<Planned, 'id' | 'case' | 'deployment'>,
  outcome: 'untested' | 'inapplicable' | 'cantTell',
  reason: string,
  durationMs = 0,
  exchanges: readonly ReportExchange[] = [],
): Result {
  const judgements = testCase.steps.flatMap(({ expect }) =>
    (expect ?? []).map(({ rule }): Judgement => ({ rule, outcome, ...advisoryOf(testCase, rule), reason })),
  )
  const common = { id, case: testCase.id, deployment: deployment.name, title: testCase.title }
  return { ...common, outcome, reason, durationMs, judgements, exchanges }
}
