import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AssayError } from './assay-error.js'
import { caseFile } from './generated/validators/case-file.js'
import { requirements } from './generated/validators/requirements.js'
import type { Finding } from './position.js'
import type { Parsed } from './specification-files.js'
import type { Requirement } from './types.js'
import { type Validator, violations } from './validator.js'
import type { WrittenCase } from './written-case.js'

/** A file of cases, of rules, or of both. */
export interface ExtraFile {
  readonly section?: string
  readonly requirements?: readonly Requirement[]
  readonly cases?: readonly WrittenCase[]
}

export interface ExtraText {
  readonly file: string
  readonly text: string
}

const MOST_FILES = 1000
const MOST_BYTES = 64 * 1024 * 1024
const MOST_LEVELS = 200

/** The texts of a folder's YAML and JSON files, by name. @throws AssayError where there are none, or too many */
export function readExtraTexts(folder: string): readonly ExtraText[] {
  const names = namesIn(folder).filter((name) => /\.(?:ya?ml|json)$/.test(name))
  if (names.length === 0)
    throw new AssayError(
      'missing-file',
      `${folder}: expected files of cases (.yaml, .yml or .json), found none`,
    )
  if (names.length > MOST_FILES)
    throw new AssayError('usage', `${folder}: expected at most ${MOST_FILES} files, found ${names.length}`)
  const paths = names.sort().map((name) => join(folder, name))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  if (bytes > MOST_BYTES)
    throw new AssayError('usage', `${folder}: expected at most ${MOST_BYTES} bytes of cases, found ${bytes}`)
  return paths.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [] : [entry.name],
    )
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AssayError('missing-file', `--cases takes a folder of case files: ${why}`, { cause })
  }
}

/**
 * A JSON file as fast as it can be read, without the places of its parts. Undefined where it does not stand as it is:
 * only the slow way can say what is wrong, and where.
 */
export function readQuickly({ file, text }: ExtraText): Parsed<ExtraFile> | undefined {
  if (!file.endsWith('.json')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  // Of two members with one name, JSON.parse drops the first without a word.
  if (keysIn(value, 0) !== keysOf(text) || !validatorOf(file)(value)) return undefined
  const nowhere = () => ({ file, line: 0, column: 0 })
  // The schema has just proven it.
  return { file, value: value as ExtraFile, at: nowhere, keyAt: nowhere }
}

/** Any file, with the places of its parts. @param findings is told what breaks the schema */
export async function readExactly(
  { file, text }: ExtraText,
  findings: Finding[],
): Promise<Parsed<ExtraFile>> {
  const { readPositioned } = await import('./positioned.js')
  const document = readPositioned(file, text)
  findings.push(...violations(validatorOf(file), document.value, document))
  // Where the schema does not hold, the findings are thrown before anybody reads the value.
  return { ...document, value: document.value as ExtraFile }
}

function validatorOf(file: string): Validator {
  return /(?:^|[/\\])requirements\.(?:ya?ml|json)$/.test(file) ? requirements : caseFile
}

/** How many members the text writes. */
function keysOf(text: string): number {
  let keys = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) keys += 1
  return keys
}

/** How many members the value has; NaN where it nests too deep. */
function keysIn(value: unknown, level: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (level > MOST_LEVELS) return Number.NaN
  let keys = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const item of Object.values(value)) keys += keysIn(item, level + 1)
  return keys
}
