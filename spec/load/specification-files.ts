import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { caseFile, expectations, observations, requirements } from '../generated/validators.js'
import { type Finding, type Positioned, SpecError } from './position.js'
import { readPositioned } from './positioned.js'
import { readTextFile } from './read-text-file.js'
import { type Validator, violations } from './validator.js'
import type { WrittenCaseFile, WrittenGroups, WrittenLedger, WrittenObservations } from './written-case.js'

/** A file whose value its schema has proven to be a `T`. */
export interface Parsed<T> extends Omit<Positioned, 'value'> {
  readonly value: T
}

/** The files of a specification folder, each valid in itself; how they fit together is `check.ts`'s business. */
export interface SpecificationFiles {
  readonly requirements: Parsed<WrittenLedger>
  readonly groups: Parsed<WrittenGroups>
  readonly observations: Parsed<WrittenObservations>
  readonly caseFiles: readonly Parsed<WrittenCaseFile>[]
}

/**
 * Reads `requirements.yaml`, `cases/*.yaml` by name, and `expectations.yaml` and `observations.yaml` where they are.
 * @throws SpecError with every finding of every file
 */
export function readSpecificationFiles(folder: string): SpecificationFiles {
  // Messages and sources name files as seen from the folder's parent, wherever the checkout is.
  const label = basename(resolve(folder))
  const findings: Finding[] = []
  const read = <T>(path: string, validate: Validator<T>, none?: T): Parsed<T> => {
    const file = `${label}/${path}`
    if (none !== undefined && !existsSync(join(folder, path)))
      return { ...readPositioned(file, '{}'), value: none }
    const document = readPositioned(file, readTextFile(join(folder, path), 'a file of the specification'))
    findings.push(...violations(validate, document.value, document))
    // The schema has just proven the shape, or the findings are thrown below before the value is read.
    return { ...document, value: document.value as T }
  }

  const files: SpecificationFiles = {
    requirements: read('requirements.yaml', requirements),
    groups: read('expectations.yaml', expectations, {}),
    observations: read('observations.yaml', observations, { observations: [] }),
    caseFiles: caseFileNames(folder).map((name) => read(`cases/${name}`, caseFile)),
  }
  if (findings.length > 0) throw new SpecError(findings)
  return files
}

function caseFileNames(folder: string): readonly string[] {
  const cases = join(folder, 'cases')
  if (!existsSync(cases)) return []
  return readdirSync(cases)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
}
