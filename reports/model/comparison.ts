import type { Outcome, Report, RuleResult } from '../../spec/model/report.js'

/** What a report says of a rule; `absent`: it is of a run without it, as of another version of the suite or without own cases. */
export type ReportedOutcome = Outcome | 'waived' | 'absent'

/** From the first report to the last; `open`: the last one does not say, because of an outage for example. */
export type RuleChange = 'regression' | 'open' | 'fix' | 'differs' | 'same'

export interface RuleRow {
  readonly id: string
  readonly statement: string
  /** In the order of the reports. */
  readonly outcomes: readonly ReportedOutcome[]
  readonly change: RuleChange
  /** Results that failed in the last report and not in the first. */
  readonly newFailures: readonly string[]
  /** Results that judged the rule in the first report, and were not run in the last. */
  readonly unjudged: readonly string[]
}

export interface ObservationRow {
  readonly id: string
  readonly deployment: string
  readonly statement: string
  readonly observed: readonly (string | undefined)[]
}

export interface Comparison {
  readonly columns: readonly { readonly label: string; readonly report: Report }[]
  readonly rules: readonly RuleRow[]
  /** Those alone that differ between two reports that have them: an outage observes nothing. */
  readonly observations: readonly ObservationRow[]
}

/** How far from a proof that the rule holds: a rule that does not apply any more has got worse. */
const SEVERITY: Readonly<Record<ReportedOutcome, number>> = {
  passed: 0,
  inapplicable: 1,
  untested: 1,
  absent: 1,
  cantTell: 2,
  waived: 3,
  failed: 4,
}

/** Puts reports side by side, of implementations or of moments: regressions first, then fixes, then what else differs. Pure. */
export function compareReports(columns: Comparison['columns']): Comparison {
  const reports = columns.map(({ report }) => report)
  const rules = [
    ...new Map(reports.flatMap((report) => report.rules).map((rule) => [rule.id, rule])).values(),
  ]
  const rows = rules
    .filter(({ level, advisory }) => !advisory && (level === 'must' || level === 'should'))
    .map((rule) => rowOf(rule, reports))
  const order: readonly RuleChange[] = ['regression', 'open', 'fix', 'differs', 'same']
  return {
    columns,
    rules: rows.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change)),
    observations: observationRows(reports),
  }
}

function rowOf({ id, statement }: RuleResult, reports: readonly Report[]): RuleRow {
  const outcomes = reports.map((report) => outcomeOf(id, report))
  const [first, last] = [reports[0], reports.at(-1)]
  const failedBefore = new Set(first === undefined ? [] : failures(id, first))
  const newFailures =
    last === undefined ? [] : failures(id, last, true).filter((result) => !failedBefore.has(result))
  const unjudged = first === undefined || last === undefined ? [] : notRunAnyMore(id, first, last)
  return {
    ...{ id, statement, outcomes, newFailures, unjudged },
    change: changeOf(outcomes, newFailures, unjudged, last === undefined || isIncomplete(last)),
  }
}

/**
 * Another service, or another version of the suite, has other results: of these nothing is lost. Else one may be gone with its
 * deployment, profile, own case or recording.
 */
function notRunAnyMore(id: string, first: Report, last: Report): readonly string[] {
  const isSame = first.target.name === last.target.name && first.suite.version === last.suite.version
  const run = new Set(last.results.flatMap((result) => (result.outcome === 'untested' ? [] : result.id)))
  const known = new Set(last.results.map((result) => result.id))
  const isLost = (result: string): boolean => !run.has(result) && (isSame || known.has(result))
  const judgedBefore = first.results.filter(({ judgements }) =>
    judgements.some(({ rule, outcome }) => rule === id && (outcome === 'passed' || outcome === 'failed')),
  )
  return judgedBefore.map((result) => result.id).filter(isLost)
}

/** Whether the last report leaves open what it was to judge: then what it leaves open is open, although the first left it open too. */
function isIncomplete({ rules, verdict, stops = [] }: Report): boolean {
  const untried: readonly unknown[] = ['untested', 'inapplicable', null]
  return (
    verdict === 'inconclusive' || stops.length > 0 || rules.every(({ outcome }) => untried.includes(outcome))
  )
}

function changeOf(
  outcomes: readonly ReportedOutcome[],
  newFailures: readonly string[],
  unjudged: readonly string[],
  isAnyOpen: boolean,
): RuleChange {
  const [first = 'absent', last = 'absent'] = [outcomes[0], outcomes.at(-1)]
  if (newFailures.length > 0) return 'regression'
  const isLost = isUnsaid(last) && JUDGED.includes(first)
  if (isLost || (isOpen(last) && isAnyOpen) || unjudged.length > 0) return 'open'
  const worse = SEVERITY[last] - SEVERITY[first]
  // A waiver was agreed on, and an outage says nothing: neither makes anything better or worse.
  const isSaid = last !== 'waived' && !isUnsaid(last) && !isUnsaid(first)
  if (isSaid && worse > 0) return 'regression'
  if (isSaid && worse < 0 && first !== 'inapplicable') return 'fix'
  return new Set(outcomes).size > 1 ? 'differs' : 'same'
}

const JUDGED: readonly ReportedOutcome[] = ['passed', 'failed', 'waived']

function isOpen(outcome: ReportedOutcome): boolean {
  return outcome === 'cantTell' || outcome === 'untested'
}

/** Whether a report says nothing of the rule. */
function isUnsaid(outcome: ReportedOutcome): boolean {
  return isOpen(outcome) || outcome === 'absent'
}

function outcomeOf(id: string, report: Report): ReportedOutcome {
  const outcome = report.rules.find((rule) => rule.id === id)?.outcome
  if (outcome === undefined || outcome === null) return 'absent'
  const failed = report.results.filter((result) => breaks(result, id))
  const allWaived = failed.length > 0 && failed.every(({ waived }) => waived !== undefined)
  return outcome === 'failed' && allWaived ? 'waived' : outcome
}

function failures(id: string, { results }: Report, isUnwaived = false): readonly string[] {
  const own = results.filter((result) => breaks(result, id) && !(isUnwaived && result.waived))
  return own.map((result) => result.id)
}

function breaks({ judgements }: Report['results'][number], id: string): boolean {
  return judgements.some(({ rule, outcome }) => rule === id && outcome === 'failed')
}

function observationRows(reports: readonly Report[]): readonly ObservationRow[] {
  const keyOf = ({ deployment, id }: Report['observations'][number]): string =>
    JSON.stringify([deployment, id])
  const byReport = reports.map(
    ({ observations }) => new Map(observations.map((observation) => [keyOf(observation), observation])),
  )
  const all = new Map(byReport.flatMap((own) => [...own]))
  return [...all].flatMap(([key, { id, deployment, statement }]): ObservationRow[] => {
    const observed = byReport.map((own) => own.get(key)?.observed)
    return new Set(observed.filter((value) => value !== undefined)).size > 1
      ? [{ id, deployment, statement, observed }]
      : []
  })
}
