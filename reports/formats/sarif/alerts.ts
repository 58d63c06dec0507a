import type { Report } from '../../../spec/model/report.js'
import { byReason, byWaiver, type FailedRule, failuresOf } from '../shared/failures.js'
import { gateOf } from '../shared/gate.js'
import { count, firstFew } from '../shared/phrase.js'
import { stopSentences, verdictSentence } from '../shared/verdict-sentence.js'
import { RULE_OF_RUN } from './rule-descriptor.js'

export interface Alert {
  readonly ruleId: string
  /** `error` gates; `warning` is a recommendation that is not followed; `note` is advice, or waived. */
  readonly level: 'error' | 'warning' | 'note'
  /** A line each. */
  readonly message: readonly string[]
  /** With the rule, what makes it the same alert in the next run: no input, time, address or seed. */
  readonly identity: readonly string[]
  /** Why it is accepted. */
  readonly justification?: string
}

const MAX_PLACES = 5
const MAX_REASONS = 10

/** Errors exactly where the exit code is not 0. */
export function alertsOf(report: Report): readonly Alert[] {
  const found = failuresOf(report)
  const errors = [...ofRun(report), ...found.broken.map((one) => ofRule(one, 'error'))]
  // A failure of a rule that the report does not list gates too.
  const unlisted = errors.length === 0 && report.verdict === 'nonconformant'
  return [
    ...errors,
    ...(unlisted ? [{ ...OF_RUN, message: [verdictSentence(report, found)], identity: ['unlisted'] }] : []),
    ...found.warnings.map((one) => ofRule(one, 'warning')),
    ...found.advice.map((one) => ofRule(one, 'note')),
    ...found.waived.map((one) => waivedRule(one, report)),
  ]
}

const OF_RUN = { ruleId: RULE_OF_RUN.id, level: 'error' } as const

/** What a pipeline stops on although no rule is broken. An inconclusive run is one alert, not one of each rule. */
function ofRun(report: Report): readonly Alert[] {
  const { effectOf, problems } = gateOf(report)
  const open = report.results.filter((result) => ['inconclusive', 'stopped'].includes(effectOf(result)))
  const reasons = byReason({ ...report, results: open }, 'cantTell').map(
    ({ reason, results }) => `${count(results.length, 'case')}: ${reason}`,
  )
  const message = [
    `${count(open.length, 'case')} could not be judged.`,
    ...stopSentences(report),
    ...reasons.slice(0, MAX_REASONS),
  ]
  return [
    ...(open.length === 0 ? [] : [{ ...OF_RUN, message, identity: ['inconclusive'] }]),
    ...problems.map(({ title, message }) => ({ ...OF_RUN, message: [message], identity: [title] })),
  ]
}

function ofRule({ rule, occurrences }: FailedRule, level: Alert['level']): Alert {
  const { message, expected, actual } = occurrences[0]?.judgement ?? {}
  const ids = occurrences.map(({ result }) => result.id)
  const lines = [
    message ?? rule.statement,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(actual === undefined ? [] : [`Actual: ${actual}`]),
    `In ${firstFew(ids, MAX_PLACES)}.`,
  ]
  return { ruleId: rule.id, level, message: lines, identity: [] }
}

/** GitHub shows what is suppressed like all else, so it must not be an error. */
function waivedRule(one: FailedRule, report: Report): Alert {
  const ids = new Set(one.occurrences.map(({ result }) => result.id))
  const waivers = byWaiver({ ...report, results: report.results.filter(({ id }) => ids.has(id)) })
  const alert: Alert = { ...ofRule(one, 'note'), identity: ['waived'] }
  // Advice in a result that is waived is not waived itself.
  if (waivers.length === 0) return alert
  const why = firstFew(
    waivers.map(({ reason, until }) => `Waived until ${until}: ${reason}`),
    MAX_PLACES,
  )
  return { ...alert, message: [why, ...alert.message], justification: why }
}
