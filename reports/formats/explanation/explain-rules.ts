import { explanations } from '../../../spec/generated/explanations.js'
import type { Requirement } from '../../../spec/model/specification.js'
import type { RuleExplanation } from './explanation.js'

export interface Explained {
  /** Those of a specification, of profiles and of clients. */
  readonly rules: readonly Requirement[]
  readonly cases: RuleExplanation['cases']
  readonly mutants: readonly (RuleExplanation['mutants'][number] & { readonly violates: readonly string[] })[]
}

/** Why a rule matters and how to fix it: nothing of rules of profiles, of clients and of a user's own. */
export function explanationOf(rule: string): Pick<RuleExplanation, 'explanation' | 'mending'> {
  const explanation = explanations.rules.find((row) => row.rule === rule)
  const mending = explanations.mendings.find(({ id }) => id === explanation?.mending)
  return { ...(explanation && { explanation }), ...(mending && { mending }) }
}

/** What is known of each rule, by its id. */
export function explainRules({ rules, cases, mutants }: Explained): ReadonlyMap<string, RuleExplanation> {
  const explain = (rule: Requirement): RuleExplanation => ({
    rule,
    cases: cases.filter(({ id }) => rule.cases?.includes(id)),
    mutants: mutants.filter(({ violates }) => violates.includes(rule.id)),
    ...explanationOf(rule.id),
  })
  return new Map(rules.map((rule) => [rule.id, explain(rule)]))
}
