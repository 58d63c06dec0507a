import { specification } from '../generated/specification.js'
import type { Specification } from '../model/specification.js'

/**
 * The specification that ships with the suite: the YAML files as `npm run generate` has parsed them, since reading YAML
 * at each start would cost more than all else.
 */
export function loadSpecification(): Specification {
  return specification
}
