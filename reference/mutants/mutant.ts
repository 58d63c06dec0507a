import type { Behaviour } from '../behaviour.js'
import type { ReferenceServerOptions } from '../server.js'

/** The settings under which a mutant can be told from the specified server; each is one deployment of `prove`. */
export type ProvingGround =
  | 'default'
  /** With `userId`; the default deployment stands beside it. */
  | 'with-user-id'
  | 'short-lifetime'
  /** Every switch of the policy turned round, and a minimum length of 10. */
  | 'other-policy'

/** A deliberate violation: one member of the behaviour record overridden (or the few that one decision needs). */
export interface Mutant {
  /** Kebab-case; published. */
  readonly id: string
  /** What it does wrong, in one sentence. */
  readonly sentence: string
  /** The rules that must go red; empty where `expect` is `cantTell`. */
  readonly violates: readonly string[]
  /** Further rules that may go red with them. */
  readonly collateral: readonly string[]
  readonly needs: ProvingGround
  /** `cantTell`: it is unavailable rather than wrong, which exit code 3 catches, not a rule. */
  readonly expect: 'failed' | 'cantTell'
  /** Fresh for each server: a mutant may count, remember or wait. */
  readonly behaviour: () => Partial<Behaviour>
  /** What of the target file is otherwise than for the others, such as a `timeoutMs` for one that hangs. */
  readonly declares?: Readonly<Record<string, unknown>>
}

/** A server that differs and conforms: the suite must pass it. */
export interface Variant {
  readonly id: string
  readonly sentence: string
  readonly needs: ProvingGround
  readonly options?: Omit<ReferenceServerOptions, 'behaviour'>
  readonly behaviour?: () => Partial<Behaviour>
  /** What a team would declare of it in the target file, such as `tokenLifetime` or `maxRequestsPerSecond`. */
  readonly declares?: Readonly<Record<string, unknown>>
}
