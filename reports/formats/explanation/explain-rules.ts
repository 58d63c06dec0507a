import { explanations } from '../../../spec/generated/explanations.js'
import type { Requirement } from '../../../spec/model/specification.js'
import type { RuleExplanation } from './explanation.js'

export interface Explained {
  /** Those of a specification, of profiles and of clients. */
  readonly rules: readonly Requirement[]
  readonly cases: RuleExplanation['cases']
  readonly mutants: readonly (RuleExplanation['mutants'][number] & { readonly violates: readonly string[] })[]
}

/** What is known of each rule, by its id. */
export function explainRules({ rules, cases, mutants }: Explained): ReadonlyMap<string, RuleExplanation> {
  const { rules: rows, mendings } = explanations
  const explain = (rule: Requirement): RuleExplanation => {
    const explanation = rows.find((row) => row.rule === rule.id)
    const mending = mendings.find(({ id }) => id === explanation?.mending)
    return {
      rule,
      cases: cases.filter(({ id }) => rule.cases?.includes(id)),
      mutants: mutants.filter(({ violates }) => violates.includes(rule.id)),
      ...(explanation && { explanation }),
      ...(mending && { mending }),
    }
  }
  return new Map(rules.map((rule) => [rule.id, explain(rule)]))
}
