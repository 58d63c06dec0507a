import { checkCases } from './check-cases.js'
import { checkLedger } from './check-ledger.js'
import { checkObservations } from './check-observations.js'
import { checkReferences } from './check-references.js'
import { coverage } from './coverage.js'
import { assemble } from './load.js'
import type { Finding } from './position.js'
import { SpecError } from './spec-error.js'
import type { SpecificationFiles } from './specification-files.js'

/**
 * What is wrong with a specification whose files are each valid: rules that nothing accounts for, cases that name what
 * is not there or stand in the wrong place, ids and statements used twice. Empty where all is well.
 */
export function checkSpecification(files: SpecificationFiles): readonly Finding[] {
  try {
    const { cases } = assemble(files)
    return [
      ...checkLedger(files.requirements, coverage(cases)),
      ...checkCases(files),
      ...checkReferences(files),
      ...checkObservations(files),
    ]
  } catch (error) {
    if (error instanceof SpecError) return error.findings
    throw error
  }
}
