import type { Behaviour } from '../../reference/behaviour.js'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Patch } from '../../spec/generated/types/target.js'
import type { MutantSetup } from '../mutants/mutant.js'
import { type Overriding, type Rows, readRows } from '../mutants/rows.js'

/** A server that differs from the reference and conforms: the suite must pass it. */
export interface Variant {
  readonly id: string
  readonly description: string
  readonly needs: MutantSetup
  readonly options?: Omit<ReferenceServerOptions, 'behaviour'>
  readonly behaviour: () => Partial<Behaviour>
  /** What a team would declare of it in the target file, such as `tokenLifetime` or `maxRequestsPerSecond`. */
  readonly declares?: Patch
  /** Patterns over the ids of the cases that it meets, where each answer costs much; `--full` meets all. Absent: all. */
  readonly cases?: readonly string[]
}

type VariantDetails = Partial<Omit<Variant, 'id' | 'description' | 'behaviour'>>

/** A table of variants. By default each runs in the default deployment. */
export function conforming(rows: Rows<Overriding, VariantDetails>): readonly Variant[] {
  return readRows<Overriding, VariantDetails>(rows, (override) => override).map((row) => ({
    needs: 'default',
    ...row,
  }))
}
