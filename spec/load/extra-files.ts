import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { caseFile } from '../generated/validators/case-file.js'
import { requirements } from '../generated/validators/requirements.js'
import { AssayError } from '../model/assay-error.js'
import type { Requirement } from '../model/specification.js'
import { type Finding, SpecError } from './position.js'
import { readPositioned } from './positioned.js'
import { readTextFile } from './read-text-file.js'
import type { Parsed } from './specification-files.js'
import { type Validator, violations } from './validator.js'
import type { WrittenCase } from './written-case.js'

/** A file of cases, of rules, or of both. */
export interface ExtraFile {
  readonly description?: string
  readonly section?: string
  readonly requirements?: readonly Requirement[]
  readonly cases?: readonly WrittenCase[]
}

const MAX_FILES = 1000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The YAML and JSON files of a folder and of those in it, by name.
 * @throws AssayError where there are none, or too many, or with file:line:column of all that breaks the schema
 */
export function readExtraFiles(folder: string): readonly Parsed<ExtraFile>[] {
  const findings: Finding[] = []
  const files = extraPaths(folder).map((path) => readExtraFile(path, findings))
  if (findings.length > 0) throw new SpecError(findings)
  return files
}

function extraPaths(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => /\.(?:ya?ml|json)$/i.test(name))
  if (names.length === 0)
    throw new AssayError(
      'missing-file',
      `${folder}: expected files of cases (.yaml, .yml or .json), found none`,
    )
  if (names.length > MAX_FILES)
    throw new AssayError('usage', `${folder}: expected at most ${MAX_FILES} files, found ${names.length}`)
  const paths = names.sort().map((name) => join(folder, name))
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0)
  if (bytes > MAX_BYTES)
    throw new AssayError('usage', `${folder}: expected at most ${MAX_BYTES} bytes of cases, found ${bytes}`)
  return paths
}

/** Of what cannot be looked at nothing is known yet: it is reported when it is read. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** Hidden folders, and those of packages, hold no cases. */
function namesIn(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    if (!entry.isDirectory()) return entry.name
    if (/^\.|^node_modules$/.test(entry.name)) return []
    return namesIn(join(folder, entry.name)).map((name) => join(entry.name, name))
  })
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('missing-file', `--cases takes a folder of case files: ${why}`, { cause })
  }
}

/** The value of a file, with the places of its parts. @param findings is given what breaks the schema */
function readExtraFile(file: string, findings: Finding[]): Parsed<ExtraFile> {
  const text = readTextFile(file, 'a file of cases', { kib: 512, code: 'malformed-file' })
  const document = readPositioned(file, text)
  findings.push(...violations(validatorOf(file), document.value, document))
  // Where the schema does not hold, the findings are thrown before the value is read.
  return { ...document, value: document.value as ExtraFile }
}

function validatorOf(file: string): Validator {
  return /(?:^|[/\\])requirements\.(?:ya?ml|json)$/i.test(file) ? requirements : caseFile
}
