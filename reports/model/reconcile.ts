import type { Outcome, Report, Result, RuleResult } from '../../spec/model/report.js'
import { failsAsAdvice, worst } from '../../spec/model/summary.js'
import { verdictOf } from '../../spec/model/verdict.js'

/**
 * Every inconsistency within a report, as sentences; empty for a consistent report. This detects reports that were cut,
 * edited by hand or merged wrongly; every reader refuses them.
 */
export function reconcile(report: Report): string[] {
  return [
    ...countProblems(report),
    ...duplicateProblems(report),
    ...report.results.flatMap((result) => resultProblems(result, report)),
    ...ruleProblems(report),
    ...verdictProblems(report),
  ]
}

function countProblems({ counts, results, plan }: Report): string[] {
  const problems: string[] = []
  for (const outcome of ['passed', 'failed', 'cantTell', 'inapplicable', 'untested'] as const) {
    const actual = results.filter((result) => result.outcome === outcome).length
    if (counts[outcome] !== actual)
      problems.push(`counts.${outcome} is ${counts[outcome]}, the results say ${actual}`)
  }
  const waived = results.filter((result) => result.waived).length
  if (counts.waived !== waived) problems.push(`counts.waived is ${counts.waived}, the results say ${waived}`)
  const advisory = results.filter(failsAsAdvice).length
  if ((counts.advisory ?? 0) !== advisory)
    problems.push(`counts.advisory is ${counts.advisory ?? 'absent'}, the results say ${advisory}`)
  if (plan.planned !== results.length) {
    problems.push(`${plan.planned} results were planned, the report holds ${results.length}`)
  }
  return problems
}

function duplicateProblems({ results, rules, target }: Report): string[] {
  return [
    ...duplicates(results.map(({ id }) => id)).map((id) => `result ${id} occurs more than once`),
    ...duplicates(rules.map(({ id }) => id)).map((id) => `rule ${id} occurs more than once`),
    ...duplicates(target.deployments.map(({ name }) => name)).map(
      (name) => `deployment ${name} occurs more than once`,
    ),
  ]
}

function duplicates(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(ids.filter((id) => seen.size === seen.add(id).size))]
}

function resultProblems(result: Result, { target }: Report): string[] {
  const problems: string[] = []
  if (result.id !== `${result.deployment}/${result.case}`) {
    problems.push(`result ${result.id} is not named for its deployment and case`)
  }
  if (!target.deployments.some(({ name }) => name === result.deployment)) {
    problems.push(`result ${result.id} names a deployment that the target does not have`)
  }
  const outcome = worst(result.judgements.map((judgement) => judgement.outcome))
  if (outcome !== null && outcome !== result.outcome) {
    problems.push(`result ${result.id} is ${result.outcome}, the worst of its judgements is ${outcome}`)
  }
  if (outcome === null && (result.outcome === 'passed' || result.outcome === 'failed')) {
    problems.push(`result ${result.id} is ${result.outcome} without a judgement`)
  }
  if (result.waived && result.outcome !== 'failed')
    problems.push(`result ${result.id} is waived but did not fail`)
  return problems
}

function ruleProblems({ rules, results }: Report): string[] {
  const known = new Set(results.map(({ id }) => id))
  const judged = new Map<string, { outcomes: Set<Outcome>; results: Set<string> }>()
  for (const result of results) {
    for (const { rule, outcome } of result.judgements) {
      const entry = judged.get(rule) ?? { outcomes: new Set(), results: new Set() }
      judged.set(rule, entry)
      entry.outcomes.add(outcome)
      entry.results.add(result.id)
    }
  }
  const ids = new Set(rules.map(({ id }) => id))
  return [
    ...[...judged.keys()].filter((id) => !ids.has(id)).map((id) => `rule ${id} is judged but not listed`),
    ...rules.flatMap((rule) => {
      const listed = new Set(rule.results)
      const missing = [...(judged.get(rule.id)?.results ?? [])].filter((id) => !listed.has(id))
      const unknown = rule.results.filter((id) => !known.has(id))
      return [
        ...unknown.map((id) => `rule ${rule.id} lists result ${id}, which is not there`),
        ...missing.map((id) => `rule ${rule.id} does not list result ${id}, which judges it`),
        ...outcomeProblem(rule, worst(judged.get(rule.id)?.outcomes ?? [])),
      ]
    }),
  ]
}

function outcomeProblem({ id, level, outcome }: RuleResult, expected: Outcome | null): string[] {
  if (level === 'unspecified' || level === 'untestable') {
    return outcome === null ? [] : [`rule ${id} is ${level} and cannot be ${outcome}`]
  }
  // Without a judgement there is nothing to say, or only why there is none.
  const agrees = expected === null ? outcome !== 'passed' && outcome !== 'failed' : outcome === expected
  return agrees
    ? []
    : [`rule ${id} is ${outcome ?? 'without outcome'}, the worst of its judgements is ${expected ?? 'none'}`]
}

function verdictProblems({ results, rules, verdict }: Report): string[] {
  // The report does not say whether the run was strict, so either reading is accepted.
  const possible = new Set([false, true].map((strict) => verdictOf(results, rules, { strict }).verdict))
  return possible.has(verdict)
    ? []
    : [`the verdict is ${verdict}, the results say ${[...possible].join(' or ')}`]
}
