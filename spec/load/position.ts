import { AssayError } from '../model/assay-error.js'
import type { Json } from '../model/json.js'

/** A place in a file. A `line` of 0: not in a file (a value handed over by a program), and `file` says what it is. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The places of the parts of a value, by JSON pointer. A pointer that leads nowhere gives its nearest parent. */
export interface Located {
  readonly at: (pointer: string) => Position
  /** The place of the key, or of the list item, that the pointer ends in. */
  readonly keyAt: (pointer: string) => Position
}

/** The text of a file as a value that knows the place of each of its parts. */
export interface Positioned extends Located {
  readonly file: string
  readonly value: Json
}

/** The places of a file's characters, by their offset in the text. */
export function positionsIn(file: string, text: string): (offset: number) => Position {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (offset) => {
    // By halving: a file may have as many findings as lines.
    let line = 1
    for (let after = starts.length + 1; after - line > 1; ) {
      const middle = (line + after) >>> 1
      if ((starts[middle - 1] ?? 0) <= offset) line = middle
      else after = middle
    }
    return { file, line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

/** What is wrong at one place: `expected …, found …`. */
export interface Finding {
  readonly position: Position
  readonly message: string
}

export function finding(position: Position, message: string): Finding {
  return { position, message }
}

export function formatPosition({ file, line, column }: Position): string {
  return line === 0 ? file : `${file}:${line}:${column}`
}

export function formatFinding({ position, message }: Finding): string {
  return `${formatPosition(position)}: ${message}`
}

/** More than a handful at once hides the first, which is often the cause of the rest. */
const shown = 10

/** One finding a line, in the order given; the tail is counted. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.slice(0, shown).map(formatFinding)
  const rest = findings.length - lines.length
  return (rest > 0 ? [...lines, `and ${rest} more`] : lines).join('\n')
}

/** The files of a specification do not hold what they must. The message lists the findings, each with its place. */
export class SpecError extends AssayError {
  override readonly name: string = 'SpecError'
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    super('bad-specification', formatFindings(findings))
    this.findings = findings
  }
}
