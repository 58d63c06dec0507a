/** The files of a specification folder as people write them. */
import type { Expectations as Items } from '../generated/types/case-file.js'

export type {
  Case as WrittenCase,
  CaseFile as WrittenCaseFile,
  Step as WrittenStep,
} from '../generated/types/case-file.js'
export type { Expectations as WrittenGroups } from '../generated/types/expectations.js'
export type {
  Observation as WrittenObservation,
  Observations as WrittenObservations,
} from '../generated/types/observations.js'
export type { Requirements as WrittenLedger } from '../generated/types/requirements.js'

/** An expectation, or every expectation of a group: the other keys are merged into each. */
export type WrittenExpectation = Items[number]
