import { readFileSync, statSync } from 'node:fs'
import { type Document, isSeq, parseDocument } from 'yaml'
import type { Baseline } from '../conformance/baseline/baseline.js'
import type { BaselineUpdate } from '../conformance/baseline/new-entries.js'
import type { StaleEntry } from '../conformance/baseline/stale-entries.js'
import { AssayError } from '../spec/assay-error.js'
import { baseline as validBaseline } from '../spec/generated/validators/baseline.js'
import { formatFinding, formatFindings, type Position } from '../spec/position.js'
import { readPositioned } from '../spec/positioned.js'
import { violations } from '../spec/validator.js'
import { writeWhole } from './output.js'

const LARGEST_BYTES = 4 * 2 ** 20

/** A baseline as it stands in its file. */
export interface BaselineFile {
  readonly baseline: Baseline
  readonly text: string
  /** Where an entry stands. */
  readonly at: (index: number) => Position
}

const HEADER = `# Failures that are known, and do not gate until a date: \`token-assay run --baseline FILE\`.
# Whoever fixes one removes its entry; the run says so.
`

/**
 * Reads a baseline. @param optional it is about to be written, and may not be there yet
 * @throws AssayError with file:line:column: `missing-file`, `malformed-file`, `bad-baseline`
 */
export function readBaseline(file: string, optional: boolean): BaselineFile {
  const status = statSync(file, { throwIfNoEntry: false })
  if (status === undefined && optional) return parsed(file, `${HEADER}waived: []\n`)
  if (!status?.isFile())
    throw new AssayError(
      'missing-file',
      `${file}: expected a baseline, found no file; --update-baseline writes one`,
    )
  if (status.size > LARGEST_BYTES)
    throw new AssayError('bad-baseline', `${file}: expected at most 4 MiB, found ${status.size} bytes`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    throw new AssayError('malformed-file', `${file}: expected text in UTF-8 that can be read`, { cause })
  }
  return parsed(file, text)
}

function parsed(file: string, text: string): BaselineFile {
  const document = readPositioned(file, text)
  const value: unknown = document.value
  if (!isBaseline(value))
    throw new AssayError('bad-baseline', formatFindings(violations(validBaseline, value, document)))
  return { baseline: value, text, at: (index) => document.at(`/waived/${index}`) }
}

const isBaseline = (value: unknown): value is Baseline => validBaseline(value)

/** One line for each stale entry, with its place. */
export function describeStale(stale: readonly StaleEntry[], { at }: BaselineFile): readonly string[] {
  return stale.map(({ index, message }) => formatFinding({ position: at(index), message }))
}

/** Writes what a run made of a baseline. Comments, and what people wrote, stay. @throws AssayError `unwritable-file` */
export function writeBaseline(
  file: string,
  { text }: BaselineFile,
  { removed, added }: BaselineUpdate,
): void {
  const document = parseDocument(text)
  const list = document.get('waived')
  if (!isSeq(list)) throw new TypeError('the schema lets lists alone pass')
  // A list in brackets would stay one line.
  list.flow = false
  list.items = list.items.filter((_, index) => !removed.has(index))
  for (const entry of added) list.add(document.createNode(entry))
  const written = file.endsWith('.json') ? `${JSON.stringify(document, null, 2)}\n` : textOf(document)
  writeWhole(file, written)
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 })
}
