import type { Outcome, Report, Specification, Verdict } from '../../spec/types.js'

/** One run of the suite against one mutant or variant. Plain data: it crosses to another process. */
export interface Job {
  readonly kind: 'mutant' | 'variant'
  readonly id: string
  readonly seed: number
  /** Every case at the default budget; else only those that judge a claimed rule, and the rest at a part of it. */
  readonly full: boolean
  /** Patterns over rules and cases; default: the whole suite. */
  readonly only?: readonly string[]
  /** Default: the one that ships. The suite is itself proven by runs with one that lacks something. */
  readonly specification?: Specification
}

export interface RuleFinding {
  readonly outcome: Outcome
  /** The case that shows it first, and what it says. */
  readonly because?: string
}

/** An expectation that was broken: which of its case, counted over all steps. */
export interface Failure {
  readonly rule: string
  readonly case: string
  readonly index: number
}

/** What a run showed. */
export interface Assessment extends Pick<Job, 'kind' | 'id' | 'seed'> {
  readonly verdict: Verdict
  /** By rule; those that are judged at all. */
  readonly rules: Readonly<Record<string, RuleFinding>>
  readonly failures: readonly Failure[]
  readonly durationMs: number
}

/** The part of a report that tells a kill from an escape. */
export function summarize({ kind, id, seed }: Job, report: Report): Assessment {
  const { verdict, durationMs } = report
  const rules = report.rules.flatMap(({ id: rule, outcome }): readonly [string, RuleFinding][] =>
    outcome === null ? [] : [[rule, { outcome, ...because(report, rule, outcome) }]],
  )
  const failures = report.results.flatMap((result) =>
    result.judgements.flatMap(({ rule, outcome }, index) =>
      outcome === 'failed' ? [{ rule, case: result.case, index }] : [],
    ),
  )
  return { kind, id, seed, verdict, rules: Object.fromEntries(rules), failures, durationMs }
}

function because(report: Report, rule: string, outcome: Outcome): Pick<RuleFinding, 'because'> {
  if (outcome !== 'failed' && outcome !== 'cantTell') return {}
  for (const { case: subject, judgements } of report.results) {
    const found = judgements.find((judgement) => judgement.rule === rule && judgement.outcome === outcome)
    if (found !== undefined) return { because: `${subject}: ${found.message ?? found.reason ?? outcome}` }
  }
  return {}
}
