import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { caseFile, expectations, observations, requirements } from './generated/validators.js'
import type { Finding } from './position.js'
import { type Positioned, readPositioned } from './positioned.js'
import { SpecError } from './spec-error.js'
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
 * Reads `requirements.yaml`, `expectations.yaml` (where there is one) and `cases/*.yaml`, by name.
 * @throws SpecError with every finding of every file
 */
export function readSpecificationFiles(folder: string): SpecificationFiles {
  // Messages and sources name files as seen from the folder's parent, wherever the checkout stands.
  const label = basename(resolve(folder))
  const findings: Finding[] = []
  const read = <T>(path: string, validate: Validator, empty: T): Parsed<T> => {
    const text = existsSync(join(folder, path))
      ? readFileSync(join(folder, path), 'utf8')
      : JSON.stringify(empty)
    const document = readPositioned(`${label}/${path}`, text)
    findings.push(...violations(validate, document.value, document))
    // The schema has just proven the shape, or the findings are thrown below before anybody reads the value.
    return { ...document, value: document.value as T }
  }

  const files: SpecificationFiles = {
    requirements: read<WrittenLedger>('requirements.yaml', requirements, { requirements: [] }),
    groups: read<WrittenGroups>('expectations.yaml', expectations, {}),
    observations: read<WrittenObservations>('observations.yaml', observationsOrNone(folder), {
      observations: [],
    }),
    caseFiles: caseFileNames(folder).map((name) =>
      read<WrittenCaseFile>(`cases/${name}`, caseFile, { section: '', cases: [] }),
    ),
  }
  if (findings.length > 0) throw new SpecError(findings)
  return files
}

/** A folder without the file has none, which the schema would not let a file say. */
function observationsOrNone(folder: string): Validator {
  return existsSync(join(folder, 'observations.yaml')) ? observations : anything
}

const anything: Validator = Object.assign((_value: unknown): boolean => true, {})

function caseFileNames(folder: string): readonly string[] {
  const cases = join(folder, 'cases')
  if (!existsSync(cases)) return []
  return readdirSync(cases)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
}
