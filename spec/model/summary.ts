import { worst } from './outcome.js'
import type { Counts, Result, RuleResult } from './report.js'

/** How many results there are of each outcome; waived ones are counted among the failed too. */
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

/** The rules, with what these results say of each: the worst of its own judgements over all deployments. */
export function summarizeRules(
  rules: readonly Omit<RuleResult, 'outcome' | 'results'>[],
  results: readonly Result[],
): readonly RuleResult[] {
  const judging = new Map<
    string,
    { readonly results: Set<string>; readonly outcomes: Set<Result['outcome']> }
  >()
  for (const result of results) {
    for (const { rule, outcome } of result.judgements) {
      const entry = judging.get(rule) ?? { results: new Set(), outcomes: new Set() }
      judging.set(rule, entry)
      entry.results.add(result.id)
      entry.outcomes.add(outcome)
    }
  }
  return rules.map(({ id, section, level, statement, why }): RuleResult => {
    const own = judging.get(id)
    const judged = level === 'must' || level === 'should'
    return {
      id,
      section,
      level,
      statement,
      outcome: judged ? (worst(own?.outcomes ?? []) ?? 'untested') : null,
      ...(why === undefined ? {} : { why }),
      results: [...(own?.results ?? [])],
    }
  })
}
