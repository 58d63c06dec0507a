import type { Behaviour } from '../../reference/behaviour.js'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Patch } from '../../spec/generated/types/target.js'

/** The settings that a mutant or variant needs to show its difference; each is one deployment of the embedded run. */
export type MutantSetup =
  | 'default'
  /** With `userId`; the default deployment runs beside it. */
  | 'with-user-id'
  | 'short-lifetime'
  /** Every switch of the policy turned round, and a minimum length of 10. */
  | 'other-policy'

/** A server that is wrong on purpose: one decision of the behaviour record overridden, by as many members as it needs. */
export interface Mutant {
  /** Kebab-case; published. */
  readonly id: string
  /** What it does wrong: one sentence. */
  readonly description: string
  /** The rules that must go red; empty where `expect` is `cantTell`. */
  readonly violates: readonly string[]
  /** Further rules that may go red with them. */
  readonly collateral: readonly string[]
  readonly needs: MutantSetup
  /** `cantTell`: it is unavailable rather than wrong: no rule fails, and the run ends with exit code 3. */
  readonly expect: 'failed' | 'cantTell'
  readonly options?: Omit<ReferenceServerOptions, 'behaviour'>
  /** Fresh for each server: a mutant may count, remember or wait. */
  readonly behaviour: () => Partial<Behaviour>
  /**
   * By case id: the smallest input that shows the mutant, to which the case's counterexample must shrink, as shown in the
   * report: a text, or another value as JSON.
   */
  readonly smallest?: Readonly<Record<string, RegExp>>
  /** What the target file declares in addition, such as a `timeoutMs` for one that hangs. */
  readonly declares?: Patch
}

type MutantRow = Mutant['behaviour'] | (Partial<Mutant> & Pick<Mutant, 'behaviour'>)

/**
 * A table of mutants that break the same rules: by `id: what it does wrong`, the behaviour, or that and more. By default
 * each shows in the default deployment, and no other rule may fail.
 */
export function breaking(
  rules: readonly string[] | (Partial<Mutant> & Pick<Mutant, 'violates'>),
): (rows: Readonly<Record<`${string}: ${string}`, MutantRow>>) => readonly Mutant[] {
  const shared = 'violates' in rules ? rules : { violates: rules }
  return (rows) =>
    Object.entries(rows).map(([title, row]) => {
      const [id = '', description = ''] = title.split(/: (.*)/s)
      const own = typeof row === 'function' ? { behaviour: row } : row
      return { id, description, collateral: [], needs: 'default', expect: 'failed', ...shared, ...own }
    })
}
