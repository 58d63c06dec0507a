import { type Document, isSeq, parseDocument, stringify, visit } from 'yaml'
import { baseline as validBaseline } from '../../../spec/generated/validators/baseline.js'
import { formatFinding, formatFindings, type Position } from '../../../spec/load/position.js'
import { readPositioned } from '../../../spec/load/positioned.js'
import { violations } from '../../../spec/load/validator.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Baseline } from './baseline.js'
import type { BaselineUpdate } from './new-entries.js'
import type { StaleEntry } from './stale-entries.js'

/** A baseline as it is written in its file. */
export interface BaselineFile {
  readonly file: string
  readonly baseline: Baseline
  readonly text: string
  /** The position of an entry. */
  readonly at: (index: number) => Position
}

/** A new baseline: a comment and no entry. */
export const EMPTY_BASELINE = `# Known failures, which do not fail a run until a date: \`token-assay run --baseline FILE\`.
# When a failure is fixed, remove its entry; the run reports an entry that is not needed any more.
waived: []
`

/** Of the entries that the schema allows. */
const BOUNDS = { maxValues: 100_000 }

/** Reads the text of a baseline. @throws AssayError with file:line:column: `malformed-file`, `bad-baseline` */
export function parseBaseline(file: string, text: string): BaselineFile {
  const document = readPositioned(file, text, BOUNDS)
  const value: unknown = document.value
  if (!isBaseline(value))
    throw new AssayError('bad-baseline', formatFindings(violations(validBaseline, value, document)))
  return { file, baseline: value, text, at: (index) => document.at(`/waived/${index}`) }
}

const isBaseline = (value: unknown): value is Baseline => validBaseline(value)

/** One line for each stale entry, with its position. */
export function describeStale(stale: readonly StaleEntry[], { at }: BaselineFile): readonly string[] {
  return stale.map(({ index, message }) => formatFinding({ position: at(index), message }))
}

/** The text of the baseline after a run. Comments and what people wrote are kept. */
export function editBaseline(
  { file, text, baseline }: BaselineFile,
  { removed, added }: BaselineUpdate,
): string {
  const isKept = (_: unknown, index: number): boolean => !removed.has(index)
  const plain = { ...baseline, waived: [...baseline.waived.filter(isKept), ...added] }
  if (file.endsWith('.json')) return `${JSON.stringify(plain, null, 2)}\n`
  const document = parseDocument(text)
  const list = document.get('waived')
  // Where an entry is removed whose anchor another one names, all are written out.
  if (!isSeq(list) || hasAlias(document)) return stringify(plain, { lineWidth: 0 })
  // Block style: a list in brackets would be written on one line.
  list.flow = false
  list.items = list.items.filter(isKept)
  for (const entry of added) list.add(document.createNode(entry))
  return document.toString({ lineWidth: 0 })
}

function hasAlias(document: Document): boolean {
  let found = false
  visit(document, {
    Alias: () => {
      found = true
      return visit.BREAK
    },
  })
  return found
}
