import type { Counterexample, Outcome, Report, Verdict } from '../../spec/model/report.js'
import type { Effort } from '../../spec/model/selection.js'
import type { Specification } from '../../spec/model/specification.js'
import type { JudgeSite } from './judge-sites.js'

/** One run of the suite against one mutant or variant. Plain data: it crosses to another process. */
export interface Job {
  readonly kind: 'mutant' | 'variant'
  readonly id: string
  readonly seed: number
  /** Every case with all its inputs; else only those that judge a violated rule, and the others with a part of them. */
  readonly full: boolean
  /** Meets the whole suite once, with what this effort tries. */
  readonly effort?: Effort
  /** It is a mutant or variant of this profile: its rules alone are judged. */
  readonly profile?: string
  /** Patterns over rules and cases; default: the whole suite. */
  readonly only?: readonly string[]
  /** Default: the one that ships. To test the suite itself, it runs with a specification that lacks something. */
  readonly specification?: Specification
  /** A decision that the judge makes otherwise, likewise. */
  readonly site?: JudgeSite
}

export interface RuleOutcome {
  readonly outcome: Outcome
  /** The case that shows it first, and its message. */
  readonly because?: string
}

/** A failed judgement: which expectation of its case, counted over all steps. */
export interface FailedJudgement {
  readonly rule: string
  readonly case: string
  readonly index: number
}

/** What a run showed. */
export interface Assessment extends Pick<Job, 'kind' | 'id' | 'seed'> {
  readonly verdict: Verdict
  /** By rule; those that are judged at all. */
  readonly rules: Readonly<Record<string, RuleOutcome>>
  readonly failures: readonly FailedJudgement[]
  /** By failed case: the first value of its counterexample, a text or JSON. */
  readonly counterexamples: Readonly<Record<string, string>>
  readonly durationMs: number
}

/** The part of a report that tells a kill from an escape. */
export function summarize({ kind, id, seed }: Job, report: Report): Assessment {
  const { verdict, durationMs } = report
  const rules = report.rules.flatMap(({ id: rule, outcome }): readonly [string, RuleOutcome][] =>
    outcome === null ? [] : [[rule, { outcome, ...because(report, rule, outcome) }]],
  )
  const failures = report.results.flatMap((result) =>
    result.judgements.flatMap(({ rule, outcome }, index) =>
      outcome === 'failed' ? [{ rule, case: result.case, index }] : [],
    ),
  )
  // Of several the first, so that what fails later in the case replaces nothing.
  const counterexamples = report.results.flatMap(({ case: testCase, judgements }) => {
    const first = judgements.find(({ counterexample }) => counterexample !== undefined)?.counterexample
    return first === undefined ? [] : [[testCase, firstValue(first)]]
  })
  return {
    kind,
    id,
    seed,
    verdict,
    rules: Object.fromEntries(rules),
    failures,
    counterexamples: Object.fromEntries(counterexamples),
    durationMs,
  }
}

function because(report: Report, rule: string, outcome: Outcome): Pick<RuleOutcome, 'because'> {
  if (outcome !== 'failed' && outcome !== 'cantTell') return {}
  for (const { case: testCase, judgements } of report.results) {
    const found = judgements.find((judgement) => judgement.rule === rule && judgement.outcome === outcome)
    if (found !== undefined) return { because: `${testCase}: ${found.message ?? found.reason ?? outcome}` }
  }
  return {}
}

function firstValue({ values }: Counterexample): string {
  const [value] = Object.values(values)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
