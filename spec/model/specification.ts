import type { Observation as WrittenObservation } from '../generated/types/observations.js'
import type { Requirement as WrittenRequirement } from '../generated/types/requirements.js'
import type { Case, Step } from './case.js'
import type { Report } from './report.js'

/** One sentence or table row of the specification. Ids are published: never reused, never renamed. */
export interface Requirement extends WrittenRequirement {
  /** The cases that name this rule in an expectation: found in the cases, never written down. */
  readonly cases?: readonly string[]
  /** No judgement of it gates: set by `withAdvice`, never written down. */
  readonly advisory?: true
}

/** What the specification leaves open, and the steps that show what a service does. */
export interface Probe extends Omit<WrittenObservation, 'send' | 'register' | 'steps'> {
  /** None where a case's answer shows it. */
  readonly steps: readonly Step[]
}

export interface Specification {
  /** Of all that is below: two runs with the same hash judged the same. */
  readonly hash: string
  readonly requirements: readonly Requirement[]
  readonly cases: readonly Case[]
  readonly observations: readonly Probe[]
  /** What of it is of a profile, or held to a release; the report says so. */
  readonly advice?: Pick<Report, 'profiles' | 'requirements'>
}
