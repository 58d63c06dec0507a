import type {
  AccountCount,
  Limit,
  Observation,
  Report,
  ReportStart,
  Result,
  Trouble,
} from '../../spec/model/report.js'
import { countResults, summarizeRules } from '../../spec/model/summary.js'
import { verdictOf } from '../../spec/model/verdict.js'
import type { RunContext } from '../drivers/send/session/run-context.js'
import type { Plan } from '../plan/plan.js'

/** What the report says about the suite. The version is the package's: a test compares them. */
export const SUITE = { name: 'token-assay', version: '0.1.0' } as const

/** What came of a run. */
export interface RunRecord {
  /** In the plan's order. */
  readonly results: readonly Result[]
  readonly observations: readonly Observation[]
  readonly limits: readonly Limit[]
  readonly trouble: readonly Trouble[]
  readonly accounts: readonly AccountCount[]
  readonly durationMs: number
}

/** The report of a run: the one truth that every format is rendered from. Pure. */
export function composeReport(run: RunContext, planned: Plan, record: RunRecord): Report {
  const { results, observations, limits, trouble, accounts, durationMs } = record
  const { plan, ...start } = startOf(run, planned)
  const rules = summarizeRules(run.specification.requirements, results)
  return {
    ...start,
    durationMs: Math.round(durationMs),
    verdict: verdictOf(results, rules, run).verdict,
    counts: countResults(results),
    rules,
    results,
    observations,
    limits,
    trouble,
    accounts,
    plan,
  }
}

/** What is known of a report before anything has been sent. */
export function startOf(run: RunContext, plan: Plan): ReportStart {
  const { specification, target, redactor, selection } = run
  return {
    schemaVersion: 2,
    suite: { ...SUITE, specification: specification.hash.slice(0, 16) },
    target: {
      name: redactor.text(target.name),
      deployments: target.deployments.map(({ name, shownBaseUrl, declared }) => ({
        name,
        baseUrl: redactor.text(shownBaseUrl),
        declared: redactor.value(declared),
      })),
    },
    startedAt: run.startedAt.toISOString(),
    seed: run.seed,
    ...(Object.keys(selection).length === 0 ? {} : { selection }),
    ...specification.advice,
    plan: { hash: plan.hash, planned: plan.items.length },
  }
}
