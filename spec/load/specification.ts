import { readFileSync } from 'node:fs'
import type { Specification } from '../model/specification.js'

let loaded: Specification | undefined

/**
 * The specification that ships with the suite: the YAML files as `npm run generate` has parsed them, since reading YAML
 * at each start would cost more than all else. Works from the source tree and from `dist/`, read once per process.
 */
export function loadSpecification(): Specification {
  // The generator wrote this very type; a broken file is a broken build.
  loaded ??= JSON.parse(
    readFileSync(new URL('../generated/specification.json', import.meta.url), 'utf8'),
  ) as Specification
  return loaded
}
