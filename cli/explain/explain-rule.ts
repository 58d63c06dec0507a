import { clientRules } from '../../client/ledger.js'
import { MUTANTS } from '../../prove/mutants/index.js'
import { PROFILE_PROOFS } from '../../prove/profiles/index.js'
import type { RuleExplanation } from '../../reports/explanation/explanation.js'
import { loadExplanations } from '../../spec/load/explanations.js'
import type { Requirement, Specification } from '../../spec/model/specification.js'

/** What is known of each rule, by its id. */
export function explainRules(specification: Specification): ReadonlyMap<string, RuleExplanation> {
  const { rules, mendings } = loadExplanations()
  const mutants = [...MUTANTS, ...Object.values(PROFILE_PROOFS).flatMap((proof) => proof.mutants)]
  const explain = (rule: Requirement): RuleExplanation => {
    const explanation = rules.find((row) => row.rule === rule.id)
    const mending = mendings.find(({ id }) => id === explanation?.mending)
    return {
      rule,
      cases: specification.cases.filter(({ id }) => rule.cases?.includes(id)),
      mutants: mutants.filter(({ violates }) => violates.includes(rule.id)),
      ...(explanation && { explanation }),
      ...(mending && { mending }),
    }
  }
  const all = [...specification.requirements, ...clientRules()]
  return new Map(all.map((rule) => [rule.id, explain(rule)]))
}
