import { createHash } from 'node:crypto'
import type { Case, Step } from '../model/case.js'
import type { Probe, Requirement, Specification } from '../model/specification.js'
import type { Finding } from './position.js'
import { SpecError } from './position.js'
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
  const cases = files.caseFiles.flatMap((file) =>
    file.value.cases.map((written, index) =>
      toCase(file, written, `/cases/${index}`, files.groups.value, findings),
    ),
  )
  if (findings.length > 0) throw new SpecError(findings)
  const observations = files.observations.value.observations.map(toProbe)
  const hash = hashOf(requirements, cases, observations)
  return { hash, requirements: withCases(requirements, cases), cases, observations }
}

/** An observation with its steps; none where a case's answer shows it. */
function toProbe({ send, register, steps, ...rest }: WrittenObservation): Probe {
  const only: Step[] = send !== undefined ? [{ send }] : register !== undefined ? [{ register }] : []
  return { ...rest, steps: steps ?? only }
}

/** The place of a case does not change what it judges: moving lines leaves the hash as it is. */
function hashOf(
  requirements: readonly Requirement[],
  cases: readonly Case[],
  observations: readonly Probe[],
): string {
  const judged = cases.map(({ source: _, ...rest }) => rest)
  const digest = createHash('sha256').update(JSON.stringify({ requirements, cases: judged, observations }))
  return `sha256:${digest.digest('hex').slice(0, 16)}`
}
