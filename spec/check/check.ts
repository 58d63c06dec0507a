import { assemble } from '../load/load.js'
import { type Finding, SpecError } from '../load/position.js'
import type { SpecificationFiles } from '../load/specification-files.js'
import { checkCases } from './check-cases.js'
import { checkLedger } from './check-ledger.js'
import { checkObservations } from './check-observations.js'
import { checkReferences } from './check-references.js'

/**
 * What is wrong with a specification whose files are each valid: rules that nothing accounts for, cases that name what
 * is not there or are in the wrong place, ids and statements used twice. Empty where all is well.
 */
export function checkSpecification(files: SpecificationFiles): readonly Finding[] {
  try {
    const { requirements } = assemble(files)
    return [
      ...checkLedger(files.requirements, requirements),
      ...checkCases(files),
      ...checkReferences(files),
      ...checkObservations(files),
    ]
  } catch (error) {
    if (error instanceof SpecError) return error.findings
    throw error
  }
}
