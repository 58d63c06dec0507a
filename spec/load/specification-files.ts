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
  const findings: Finding[] = []
  const read = <T>(path: string, validate: Validator<T>, none?: T): Parsed<T> =>
    none !== undefined && !existsSync(join(folder, path))
      ? { ...readPositioned(path, '{}'), value: none }
      : readValid(folder, path, validate, findings)
  const files: SpecificationFiles = {
    requirements: read('requirements.yaml', requirements),
    groups: read('expectations.yaml', expectations, {}),
    observations: read('observations.yaml', observations, { observations: [] }),
    caseFiles: yamlFiles(folder, 'cases').map((path) => read(path, caseFile)),
  }
  if (findings.length > 0) throw new SpecError(findings)
  return files
}

/** A file of a specification. @param findings gets what breaks its schema: to be thrown before the value is read */
export function readValid<T>(
  folder: string,
  path: string,
  validate: Validator<T>,
  findings: Finding[],
): Parsed<T> {
  // Messages and sources name files as seen from the folder's parent, wherever the checkout is.
  const file = `${basename(resolve(folder))}/${path}`
  const document = readPositioned(file, readTextFile(join(folder, path), 'a file of the specification'))
  findings.push(...violations(validate, document.value, document))
  return { ...document, value: document.value as T }
}

export function yamlFiles(folder: string, own: string): readonly string[] {
  if (!existsSync(join(folder, own))) return []
  const names = readdirSync(join(folder, own)).filter((name) => name.endsWith('.yaml'))
  return names.sort().map((name) => `${own}/${name}`)
}
