import type {
  Counts,
  Observation,
  Report,
  Result,
  RuleResult,
  Selection,
  Specification,
} from '../spec/types.js'
import { verdictOf } from '../spec/verdict.js'
import { worst } from '../spec/worst.js'
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
  const { specification, target, plan, results, redactor } = run
  const judging = resultsByRule(results)
  const rules = specification.requirements.map((rule) => ruleResult(rule, judging.get(rule.id) ?? []))
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
    durationMs: Math.round(run.durationMs),
    seed: run.seed,
    ...(run.selection === undefined ? {} : { selection: run.selection }),
    verdict: verdictOf(results, rules, { strict: run.strict }).verdict,
    counts: countResults(results),
    rules,
    results,
    observations: run.observations,
    plan: { hash: plan.hash, planned: plan.items.length },
  }
}

export function countResults(results: readonly Result[]): Counts {
  const count = (outcome: Result['outcome']): number => results.filter((r) => r.outcome === outcome).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    cantTell: count('cantTell'),
    inapplicable: count('inapplicable'),
    untested: count('untested'),
    waived: results.filter(({ waived }) => waived !== undefined).length,
  }
}

/** The results that judge each rule. One pass: there may be thousands of either. */
function resultsByRule(results: readonly Result[]): ReadonlyMap<string, readonly Result[]> {
  const judging = new Map<string, Result[]>()
  for (const result of results)
    for (const rule of new Set(result.judgements.map((judgement) => judgement.rule))) {
      const list = judging.get(rule)
      if (list === undefined) judging.set(rule, [result])
      else list.push(result)
    }
  return judging
}

function ruleResult(rule: Specification['requirements'][number], judging: readonly Result[]): RuleResult {
  const { id, section, level, statement } = rule
  const own = judging.flatMap(({ judgements }) => judgements.filter((judgement) => judgement.rule === id))
  const judged = level === 'must' || level === 'should'
  const why = rule.why ?? rule.later
  return {
    id,
    section,
    level,
    statement,
    outcome: judged ? (worst(own.map(({ outcome }) => outcome)) ?? 'untested') : null,
    ...(why === undefined ? {} : { why }),
    results: judging.map((result) => result.id),
  }
}
