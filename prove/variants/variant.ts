import type { Behaviour } from '../../reference/behaviour.js'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Patch } from '../../spec/generated/types/target.js'
import type { MutantSetup } from '../mutants/mutant.js'

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

/** A row of the tables. By default it runs in the default deployment. */
export function variant(
  id: string,
  description: string,
  behaviour: Variant['behaviour'],
  more: Partial<Variant> = {},
): Variant {
  return { id, description, needs: 'default', behaviour, ...more }
}

/** For a variant that differs by its options alone. */
export function asSpecified(): Partial<Behaviour> {
  return {}
}
