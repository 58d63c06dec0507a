import type { Explanations } from '../generated/types/explanations.js'
import { explanations } from '../generated/validators.js'
import { type Finding, SpecError } from './position.js'
import { type Parsed, readValid } from './specification-files.js'

/** Reads `explanations.yaml`. @throws SpecError with every finding */
export function readExplanations(folder: string): Parsed<Explanations> {
  const findings: Finding[] = []
  const read = readValid(folder, 'explanations.yaml', explanations, findings)
  if (findings.length > 0) throw new SpecError(findings)
  return read
}
