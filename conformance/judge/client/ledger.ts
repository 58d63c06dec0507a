import { clientRequirements } from '../../../spec/generated/client-requirements.js'
import type { Requirement } from '../../../spec/model/specification.js'

/** The rules of clients, as `npm run generate` has parsed them from `spec/client-requirements.yaml`. */
export function clientRules(): readonly Requirement[] {
  return clientRequirements
}
