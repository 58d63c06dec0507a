import type { Behaviour } from '../../reference/behaviour.js'
import type { Policy } from '../../spec/types.js'

/** The reference with one decision made otherwise, and what is to be found of it. */
export interface Fault {
  /** What it does wrong. */
  readonly name: string
  readonly behaviour: Partial<Behaviour>
  /** How it is configured; default: as the specification lists it. */
  readonly under?: keyof typeof CONFIGURATIONS
  /** Every rule that it breaks, by the words of the specification; none: the fault is allowed. */
  readonly failed: readonly string[]
  /** Case, and the smallest input that shows it: a text is matched, another value compared as JSON. */
  readonly smallest?: Readonly<Record<string, RegExp>>
  /** Inputs for each forall case: as many as the systematic ones that come first. Default: 3, for what any input shows. */
  readonly runs?: number
  /** Default `fast`; by `argon2id` there is time between a look and the storing. */
  readonly hashing?: 'argon2id'
}

export interface Configuration {
  readonly policy?: Partial<Policy>
  readonly includesUserId?: boolean
}

export const CONFIGURATIONS = {
  listed: {},
  'with userId': { includesUserId: true },
  'no digit required': { policy: { requireDigit: false } },
  'alphanumeric names': { policy: { alphanumericUserNamesOnly: true } },
  'e-mail not unique': { policy: { uniqueEmail: false } },
} as const satisfies Readonly<Record<string, Configuration>>
