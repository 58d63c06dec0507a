import type { FailedJudgement } from '../jobs/job.js'
import type { Pool } from '../jobs/pool.js'
import { redRules } from '../matrix/claims.js'
import { MUTANTS } from '../mutants/index.js'
import type { Mutant } from '../mutants/mutant.js'

/** A mutant that the suite as it is catches, and by which expectations. */
export interface Caught {
  readonly mutant: Mutant
  readonly failures: readonly FailedJudgement[]
}

/** Whether some mutant or variant is judged otherwise when the suite lacks something, and which. */
export interface SiteResult {
  readonly id: string
  readonly noticedBy?: string
}

/** Runs every mutant that fails a rule; those with the fewest failures first. An unavailable one shows nothing here. */
export async function catchMutants(
  pool: Pool,
  onEscape: (mutant: Mutant) => void,
): Promise<readonly Caught[]> {
  const mutants = MUTANTS.filter(({ expect }) => expect === 'failed')
  const runs = await pool.runAll(mutants.map(({ id }) => ({ kind: 'mutant', id, seed: 1, full: false })))
  return mutants
    .flatMap((mutant, at): readonly Caught[] => {
      const run = runs[at]
      if (run !== undefined && !escapes(mutant, redRules(run))) return [{ mutant, failures: run.failures }]
      onEscape(mutant)
      return []
    })
    .toSorted((a, b) => a.failures.length - b.failures.length)
}

export function escapes({ violates }: Mutant, red: readonly string[]): boolean {
  return violates.some((rule) => !red.includes(rule))
}

export function isAccusedWrongly({ violates, collateral }: Mutant, red: readonly string[]): boolean {
  return red.some((rule) => !violates.includes(rule) && !collateral.includes(rule))
}

/** `<case>#<index>`. */
export function keyOf(failure: FailedJudgement): string {
  return `${failure.case}#${failure.index}`
}
