import type {
  Case,
  Condition,
  Expectation,
  Probe,
  RegistrationTemplate,
  RequestTemplate,
  Requirement,
  Step,
} from './types.js'

/** The three kinds of file of a specification folder, as their schemas describe them. */
export interface WrittenLedger {
  readonly requirements: readonly Requirement[]
}

/** Expectations by the name of their group. */
export type WrittenGroups = Readonly<Record<string, readonly Expectation[]>>

export interface WrittenCaseFile {
  readonly section: string
  readonly requirements?: readonly Requirement[]
  readonly cases: readonly WrittenCase[]
}

/** A case as people write it: `send` (or `register`, `signIn`) and `expect` are short for one step, and groups are named. */
export interface WrittenCase extends Omit<Case, 'section' | 'steps' | 'source'> {
  readonly send?: RequestTemplate
  readonly register?: RegistrationTemplate
  readonly signIn?: 'registered' | 'without-callback'
  readonly property?: string
  readonly steps?: readonly WrittenStep[]
  /** Judged of the last step. */
  readonly expect?: readonly WrittenExpectation[]
}

export interface WrittenStep extends Omit<Step, 'expect'> {
  readonly expect?: readonly WrittenExpectation[]
}

/** An observation as people write it: `send` or `register` is short for one step. */
export interface WrittenObservation extends Omit<Probe, 'steps'> {
  readonly send?: RequestTemplate
  readonly register?: RegistrationTemplate
  readonly steps?: readonly Step[]
}

export interface WrittenObservations {
  readonly observations: readonly WrittenObservation[]
}

export type WrittenExpectation = Expectation | GroupReference

/** Every expectation of a group; the other keys are merged into each. */
export interface GroupReference {
  readonly all: string
  readonly of?: string
  readonly given?: 'refusal' | 'success' | 'rejection'
  readonly when?: Condition
  readonly hint?: string
}
