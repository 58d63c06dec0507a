import { defined } from './items.js'
import type { Counts, Outcome, Result, RuleResult } from './report.js'

/** The outcomes, worst first: of several, the one nearest to the front is the outcome of the whole. */
const outcomesWorstFirst = [
  'failed',
  'cantTell',
  'passed',
  'untested',
  'inapplicable',
] as const satisfies readonly Outcome[]

/**
 * The worst of several outcomes, or `null` of none.
 *
 * A failure outranks an inconclusive outcome, and that outranks success: what could not be judged must not look green.
 * Success outranks the two ways of not having judged, so that one judged deployment is enough to say something.
 */
export function worst(outcomes: Iterable<Outcome>): Outcome | null {
  const present = new Set(outcomes)
  return outcomesWorstFirst.find((outcome) => present.has(outcome)) ?? null
}

/** How many results there are of each outcome; waived ones are counted among the failed too. */
export function countResults(results: readonly Result[]): Counts {
  const count = (outcome: Result['outcome']): number => results.filter((r) => r.outcome === outcome).length
  const advisory = results.filter(failsAsAdvice).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    cantTell: count('cantTell'),
    inapplicable: count('inapplicable'),
    untested: count('untested'),
    waived: results.filter(({ waived }) => waived !== undefined).length,
    ...(advisory === 0 ? {} : { advisory }),
  }
}

/** Whether a result failed, and all that failed in it gates nothing. */
export function failsAsAdvice({ outcome, judgements }: Result): boolean {
  return (
    outcome === 'failed' &&
    judgements.every((judgement) => judgement.outcome !== 'failed' || judgement.advisory === true)
  )
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
  return rules.map(({ id, section, level, statement, advisory, source, why }): RuleResult => {
    const own = judging.get(id)
    const judged = level === 'must' || level === 'should'
    return {
      id,
      section,
      level,
      statement,
      outcome: judged ? (worst(own?.outcomes ?? []) ?? 'untested') : null,
      ...(advisory ? { advisory } : {}),
      ...defined({ source, why }),
      results: [...(own?.results ?? [])],
    }
  })
}
