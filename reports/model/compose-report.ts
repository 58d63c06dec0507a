import type { Report, ReportStart, Result, Selection } from '../../spec/model/report.js'
import { countResults, summarizeRules } from '../../spec/model/summary.js'
import { type VerdictOptions, verdictOf } from '../../spec/model/verdict.js'
import { stopsOf } from './stop-cause.js'

/** What the report says about the suite. The version is the package's: a test compares them. */
export const SUITE = { name: 'token-assay', version: '0.1.0' } as const

/** What is known of a run before anything is sent. */
export interface ReportHeader {
  /** The hash of what is judged. */
  readonly specification: string
  readonly target: Report['target']
  readonly startedAt: Date
  readonly seed: number
  readonly inputs?: NonNullable<Report['inputs']>
  readonly command?: string | undefined
  readonly selection?: Selection
  /** What of the specification is of a profile, or held to a release. */
  readonly advice?: Pick<Report, 'profiles' | 'requirements'> | undefined
  readonly plan: Report['plan']
}

/** What a run has found. */
export interface ReportParts extends Partial<ReportExtras> {
  readonly start: ReportStart
  /** The rules that the run judges; their outcomes are taken from the results. */
  readonly rules: Parameters<typeof summarizeRules>[0]
  /** In the plan's order. */
  readonly results: readonly Result[]
  readonly durationMs: number
}

type ReportExtras = Pick<Report, 'observations' | 'limits' | 'trouble' | 'accounts' | 'baseline'>

/** The header of a report: all that a reader can be given before anything is sent. */
export function startOf(header: ReportHeader): ReportStart {
  const {
    specification,
    target,
    startedAt,
    seed,
    inputs = {},
    command,
    selection = {},
    advice,
    plan,
  } = header
  return {
    schemaVersion: 2,
    suite: { ...SUITE, specification: specification.slice(0, 16) },
    target,
    startedAt: startedAt.toISOString(),
    seed,
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...(command === undefined ? {} : { command }),
    ...(Object.keys(selection).length === 0 ? {} : { selection }),
    ...advice,
    plan,
  }
}

/**
 * The report of a run: the one truth that every format is rendered from. Pure; no other function builds one.
 * @param gate what a failure means: the verdict depends on it
 */
export function composeReport(parts: ReportParts, gate: VerdictOptions): Report {
  const { start, results, durationMs, observations = [], limits = [], trouble = [], accounts = [] } = parts
  const { plan, ...header } = start
  const rules = summarizeRules(parts.rules, results)
  const stops = stopsOf({ rules, results, limits, trouble, target: start.target })
  return {
    ...header,
    durationMs: Math.round(durationMs),
    verdict: verdictOf(results, rules, gate).verdict,
    counts: countResults(results),
    rules,
    results,
    observations,
    limits,
    trouble,
    accounts,
    ...(stops.length === 0 ? {} : { stops }),
    ...(parts.baseline === undefined ? {} : { baseline: parts.baseline }),
    plan,
  }
}

/** The report with these parts in place of its own; what follows from them is worked out again. */
export function recompose(report: Report, parts: Partial<ReportParts>, gate: VerdictOptions): Report {
  const { stops: _, ...start } = report
  return composeReport({ ...report, start, ...parts }, gate)
}
