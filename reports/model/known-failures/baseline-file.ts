import { type Document, isSeq, parseDocument, stringify, visit } from 'yaml'
import type { Baseline } from '../../../spec/generated/types/baseline.js'
import { baseline as validate } from '../../../spec/generated/validators/baseline.js'
import { type KnownFile, parseKnown } from './known-until.js'
import type { BaselineUpdate } from './new-entries.js'

export type BaselineFile = KnownFile<Baseline>

/** A new baseline without an entry. */
export function newBaseline(file: string): string {
  return file.endsWith('.json') ? '{ "waived": [] }\n' : EMPTY
}

const EMPTY = `# Known failures, which do not fail a run until a date: \`token-assay run --baseline FILE\`.
# When a failure is fixed, remove its entry; the run reports an entry that is not needed any more.
waived: []
`

/** Reads the text of a baseline. @throws AssayError with file:line:column: `malformed-file`, `bad-baseline` */
export function parseBaseline(file: string, text: string): BaselineFile {
  return parseKnown(file, text, { validate, list: 'waived', code: 'bad-baseline' })
}

/** The text of the baseline after a run. Comments and what people wrote are kept. */
export function editBaseline(
  { file, text, content }: BaselineFile,
  { removed, added }: BaselineUpdate,
): string {
  const isKept = (_: unknown, index: number): boolean => !removed.has(index)
  const plain = { ...content, waived: [...content.waived.filter(isKept), ...added] }
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
