import type { RehearsedFact } from '../../../../spec/generated/types/rehearsal.js'
import type { SentRequest } from '../../../drivers/send/session/session.js'
import type { EarlierRequest } from '../../../evidence/reproduce.js'
import type { CutOverRole, Deployment } from '../../../target/deployment.js'

/** Something that is seen beside the table. */
export interface ObservedFact {
  readonly about: RehearsedFact['about']
  /** Whose it is: an issuer, an acceptor, or the way from one to the other. */
  readonly of: string
  /** Of one that is behind both services nothing is expected. */
  readonly side: CutOverRole | 'both'
  /** What is compared with each other: facts with the same text, such as the name of a resource, or an origin and a step. */
  readonly like: string
  /** What it lacks, in words; without any it is as a client would have it. */
  readonly faults: readonly string[]
  /** What it is where it has no fault, in words. */
  readonly otherwise: string
  /** There was no answer at all. */
  readonly isUnanswered?: boolean
  readonly accounts: Deployment['accounts']
  readonly sent: readonly SentRequest[]
  /** What the last of them builds on. */
  readonly earlier: readonly EarlierRequest[]
}

export function factValue({ faults, otherwise }: ObservedFact): string {
  return faults.length === 0 ? otherwise : faults.join(', ')
}

/** Names it in messages, and in `id`. */
export function factId({ about, of, like }: ObservedFact): string {
  return [of, about, ...(like === '' || of.endsWith(`/${like}`) ? [] : [like])].join(', ')
}
