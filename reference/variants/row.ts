import type { Variant } from '../mutants/mutant.js'

/** A variant as the tables write it: it shows in the default deployment unless it says otherwise. */
export type Row = Omit<Variant, 'needs'> & Partial<Pick<Variant, 'needs'>>

export function variants(rows: readonly Row[]): readonly Variant[] {
  return rows.map((row) => ({ needs: 'default', ...row }))
}
