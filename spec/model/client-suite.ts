import type { AnswerFreedom, LegalAnswer, WrittenScenario } from '../generated/types/client-scenarios.js'
import type { Requirement } from './specification.js'

/** One service that a client under test meets. */
export interface ClientScenario extends WrittenScenario {
  /** How a sign-in is answered: of several, later ones win. */
  readonly answers?: readonly LegalAnswer[]
}

/** The suite for clients, as `npm run generate` has parsed it from `spec/client-requirements.yaml` and `spec/client/`. */
export interface ClientSuite {
  readonly requirements: readonly Requirement[]
  /** The controls first: a plain answer, which must sign in, and a refusal, which must not. */
  readonly scenarios: readonly ClientScenario[]
  readonly freedoms: readonly AnswerFreedom[]
  /** The case that tries answers with ways of several freedoms at once. */
  readonly search: ClientScenario
}
