import type { Behaviour } from '../../reference/behaviour.js'
import type { ReferenceServerOptions } from '../../reference/server.js'
import type { Patch } from '../../spec/generated/types/target.js'
import { type Overriding, type Rows, readRows } from './rows.js'

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

type MutantDetails = Partial<Omit<Mutant, 'id' | 'description' | 'behaviour'>>

/** The rules that the mutants of a table break, or that and more that they have in common. */
type SharedClaims = readonly string[] | (MutantDetails & Pick<Mutant, 'violates'>)

export type MutantRows<Change> = Rows<Change, MutantDetails>

/**
 * A table of mutants. By default each shows in the default deployment, and no other rule may fail.
 * @param override makes the override of what a row holds: `asIs` where that is the override itself
 */
export function breaking<Make extends (change: never) => Overriding>(
  claims: SharedClaims,
  override: Make,
  rows: MutantRows<Parameters<Make>[0]>,
): readonly Mutant[] {
  const shared = 'violates' in claims ? claims : { violates: claims }
  const usual = { collateral: [], needs: 'default', expect: 'failed', ...shared } as const
  return readRows<Parameters<Make>[0], MutantDetails>(rows, override).map((row) => ({
    ...row,
    ...usual,
    ...row,
  }))
}

export function asIs(override: Overriding): Overriding {
  return override
}
