import { countResults, summarizeRules } from '../spec/summary.js'
import type { Observation, Report, ReportStart, Result, Selection, Specification } from '../spec/types.js'
import { verdictOf } from '../spec/verdict.js'
import type { Target } from './deployment.js'
import type { Redactor } from './evidence/redact.js'
import type { Plan } from './plan.js'
import { SUITE } from './suite.js'

export interface Composition {
  readonly specification: Specification
  readonly target: Target
  readonly plan: Plan
  /** In the plan's order. */
  readonly results: readonly Result[]
  readonly observations: readonly Observation[]
  readonly seed: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly strict: boolean
  readonly redactor: Redactor
  readonly selection?: Selection
}

/** The report of a run: the one truth that every format is rendered from. Pure. */
export function composeReport(run: Composition): Report {
  const { specification, results } = run
  const { plan, ...start } = startOf(run)
  const requirements = specification.requirements.map(({ later, why = later, ...rule }) => ({
    ...rule,
    ...(why === undefined ? {} : { why }),
  }))
  const rules = summarizeRules(requirements, results)
  return {
    ...start,
    durationMs: Math.round(run.durationMs),
    verdict: verdictOf(results, rules, { strict: run.strict }).verdict,
    counts: countResults(results),
    rules,
    results,
    observations: run.observations,
    plan,
  }
}

/** What is known of a report before anything has been sent. */
export function startOf(
  run: Omit<Composition, 'results' | 'observations' | 'durationMs' | 'strict'>,
): ReportStart {
  const { specification, target, plan, redactor } = run
  return {
    schemaVersion: 1,
    suite: { ...SUITE, specification: specification.hash.slice(0, 16) },
    target: {
      name: redactor.text(target.name),
      deployments: target.deployments.map(({ name, baseUrl, declared }) => ({
        name,
        baseUrl: redactor.text(baseUrl),
        declared: redactor.value(declared),
      })),
    },
    startedAt: run.startedAt.toISOString(),
    seed: run.seed,
    ...(run.selection === undefined ? {} : { selection: run.selection }),
    plan: { hash: plan.hash, planned: plan.items.length },
  }
}
