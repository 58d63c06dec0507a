import type fc from 'fast-check'
import type { Json, Policy } from '../../spec/types.js'
import type { Account, Deployment } from '../deployment.js'
import type { WireRequest } from '../exchange.js'
import type { Candidate } from '../session/fresh-account.js'
import type { Text } from '../session/text.js'
import type { FormSpelling } from '../wire/form.js'

/** What `$variable` stands for: a text, or several under `$variable.name`. */
export type Binding = Text | { readonly [name: string]: Text | FormSpelling }

export interface Scope {
  readonly deployment: Pick<Deployment, 'accounts' | 'additionalGrantTypes'>
  /** The account that the case uses. */
  readonly account: Account
  /** Sets the names of this run apart from those of any other. */
  readonly runNonce: string
  /** The declared policy for new accounts, where they can be registered. */
  readonly policy?: Policy
  readonly emailDomain?: string
  /** A user name that nobody has: another one at each call. */
  readonly unique?: () => Text
}

/** A source of inputs for `forall`: systematic near misses first, then free random ones. */
export interface Generator<V extends Json = Json> {
  readonly name: string
  /** One sentence for `list generators`. */
  readonly statement: string
  /** The near misses that every run tries, the likeliest first. They shrink like the random ones. */
  readonly examples: (scope: Scope) => readonly V[]
  readonly arbitrary: (scope: Scope) => fc.Arbitrary<V>
  readonly bind: (value: V, scope: Scope) => Binding
  /** The value as the report shows it. */
  readonly show: (value: V, scope: Scope) => Json
  /** Whether the final bytes are what this generator promises: decided without the generator (see `oracle.ts`). */
  readonly promises: (request: WireRequest, scope: Scope, candidate?: Candidate) => boolean
}
