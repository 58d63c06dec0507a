/** A place in a file. A `line` of 0: not in a file (a value handed over by a program), and `file` says what it is. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Where the parts of a value stand, by JSON pointer. A pointer that leads nowhere gives its nearest parent. */
export interface Located {
  /** The place of the value. */
  readonly at: (pointer: string) => Position
  /** The place of the key, or of the list item, that the pointer ends in. */
  readonly keyAt: (pointer: string) => Position
}

/** What is wrong at one place: `expected …, found …`. */
export interface Finding {
  readonly position: Position
  readonly message: string
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

export function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function pointerTo(parent: string, key: string | number): string {
  const text = String(key)
  return `${parent}/${/[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text}`
}
