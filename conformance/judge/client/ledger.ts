import { readFileSync } from 'node:fs'
import type { Requirement } from '../../../spec/model/specification.js'

let loaded: readonly Requirement[] | undefined

/** The rules of clients, as `npm run generate` has parsed them from `spec/client-requirements.yaml`. */
export function clientRules(): readonly Requirement[] {
  // The generator has held it to its schema; a broken file is a broken build.
  loaded ??= JSON.parse(
    readFileSync(new URL('../../../spec/generated/client-requirements.json', import.meta.url), 'utf8'),
  ) as readonly Requirement[]
  return loaded
}
