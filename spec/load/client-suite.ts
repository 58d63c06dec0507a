import { clientSuiteData } from '../generated/client-suite.js'
import type { ClientScenario, ClientSuite } from '../model/client-suite.js'
import type { Requirement } from '../model/specification.js'

export function clientSuite(): ClientSuite {
  return clientSuiteData
}

export function clientRules(): readonly Requirement[] {
  return clientSuite().requirements
}

/** Every case of the suite, in order: the scenarios, then the search. */
export function clientCases(): readonly ClientScenario[] {
  const { scenarios, search } = clientSuite()
  return [...scenarios, search]
}
