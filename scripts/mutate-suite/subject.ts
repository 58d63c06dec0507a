import { MUTANTS } from '../../reference/mutants/index.js'
import type { Mutant } from '../../reference/mutants/mutant.js'
import type { Assessment } from './suite-process.js'

/** A mutant that some rule catches, and how it was caught by the suite as it is. */
export interface Caught {
  readonly mutant: Mutant
  readonly failures: Assessment['failures']
}

/** Those that a rule catches; what is unavailable shows nothing of any expectation. */
export const CATCHABLE: readonly Mutant[] = MUTANTS.filter(({ expect }) => expect === 'failed')

export function redRules({ rules }: Pick<Assessment, 'rules'>): readonly string[] {
  return Object.entries(rules).flatMap(([rule, { outcome }]) => (outcome === 'failed' ? [rule] : []))
}

/** A rule that the mutant claims is no longer red. */
export function escapes({ violates }: Mutant, assessment: Pick<Assessment, 'rules'>): boolean {
  const red = redRules(assessment)
  return violates.some((rule) => !red.includes(rule))
}

/** A rule is red that the mutant does not claim. */
export function isAccusedWrongly({ violates, collateral }: Mutant, assessment: Assessment): boolean {
  return redRules(assessment).some((rule) => !violates.includes(rule) && !collateral.includes(rule))
}
