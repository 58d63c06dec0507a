import type { Mutant } from './mutant.js'

/** A mutant as the tables write it: what is left out is the usual. */
export type Row = Pick<Mutant, 'id' | 'sentence' | 'violates' | 'behaviour'> & Partial<Mutant>

/** The usual: caught in the default deployment, by the rules that it violates and no other. */
export function mutants(rows: readonly Row[]): readonly Mutant[] {
  return rows.map((row) => ({ collateral: [], needs: 'default', expect: 'failed', ...row }))
}
