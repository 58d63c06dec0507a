import type { Step } from '../model/case.js'
import { digest } from '../model/digest.js'
import type { Probe, Specification } from '../model/specification.js'
import { placeCases } from './expand-case.js'
import { type Finding, SpecError } from './position.js'
import { readSpecificationFiles, type SpecificationFiles } from './specification-files.js'
import { toCase, withCases } from './to-case.js'
import type { WrittenObservation } from './written-case.js'

/**
 * Reads a specification folder: `requirements.yaml`, `expectations.yaml`, `cases/*.yaml`.
 * @throws SpecError with file:line:column of everything that breaks its schema or names an unknown group
 */
export function parseSpecification(folder: string): Specification {
  return assemble(readSpecificationFiles(folder))
}

/** @throws SpecError where a case names an unknown group of expectations */
export function assemble(files: SpecificationFiles): Specification {
  const { requirements } = files.requirements.value
  const findings: Finding[] = []
  const cases = placeCases(files.caseFiles, files.groups.value, findings).map(toCase)
  if (findings.length > 0) throw new SpecError(findings)
  const observations = files.observations.value.observations.map(toProbe)
  const hash = `sha256:${digest({ requirements, cases, observations })}`
  return { hash, requirements: withCases(requirements, cases), cases, observations }
}

/** An observation with its steps; none where a case's answer shows it. */
function toProbe({ send, register, steps, ...rest }: WrittenObservation): Probe {
  const only: Step[] = send !== undefined ? [{ send }] : register !== undefined ? [{ register }] : []
  return { ...rest, steps: steps ?? only }
}
