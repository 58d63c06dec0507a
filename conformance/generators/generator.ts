import type fc from 'fast-check'
import type { Json } from '../../spec/model/json.js'
import type { Policy } from '../../spec/model/policy.js'
import type { WireRequest } from '../exchange/exchange.js'
import type { RedactableText } from '../exchange/redactable-text.js'
import type { Binding } from '../exchange/template.js'
import type { Candidate } from '../target/accounts/fresh-account.js'
import type { Account, Deployment } from '../target/deployment.js'

export interface Scope {
  readonly deployment: Pick<Deployment, 'accounts' | 'additionalGrantTypes'>
  readonly account: Account
  /** Sets the names of this run apart from those of any other. */
  readonly runNonce: string
  /** The declared policy for new accounts, where they can be registered. */
  readonly policy?: Policy
  readonly emailDomain?: string
  readonly shownEmailDomain?: string
  /** A user name that no account has: another one at each call. */
  readonly unique?: () => RedactableText
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
  /** Whether the final bytes are of this generator's class: decided without the generator (see `oracle.ts`). */
  readonly inScope: (request: WireRequest, scope: Scope, candidate?: Candidate) => boolean
}
