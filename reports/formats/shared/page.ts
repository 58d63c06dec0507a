import pc from 'picocolors'
import { visible } from './escape.js'
import { wrap } from './wrap.js'

/** What a console report is written on. */
export interface Page {
  readonly colors: ReturnType<typeof pc.createColors>
  /** Columns. */
  readonly width: number
  readonly verbose: boolean
  /** What a person types before `--replay`. */
  readonly command: string
}

/** Below this nothing lines up any more, so a narrower terminal wraps by itself. */
const MIN_WIDTH = 40
/** Beyond this lines are hard to read. */
const MAX_WIDTH = 140

export function createPage(options: {
  readonly color: boolean
  readonly width: number
  readonly verbose?: boolean | undefined
  readonly command?: string | undefined
}): Page {
  const width = Number.isFinite(options.width) ? Math.floor(options.width) : 80
  return {
    colors: pc.createColors(options.color),
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)),
    verbose: options.verbose ?? false,
    command: options.command ?? 'token-assay run …',
  }
}

/** Two columns of margin, a label of at most nine and two between: where the text beside a label begins. */
export const textColumn = 13

/** Prose of the page's width: hostile characters made visible, each line behind its margin. */
export function paragraph(text: string, { width }: Page, first = '  ', rest = first): string[] {
  return wrap(visible(text), width - rest.length).map((line, index) => (index === 0 ? first : rest) + line)
}

/** Lines with a dim label beside the first; a blank line stays blank, without trailing spaces. */
export function labelled(label: string, lines: readonly string[], page: Page): string[] {
  const beside = page.colors.dim(label.padEnd(textColumn - 2))
  return lines.map((line, index) => {
    if (index === 0) return `  ${beside}${line}`
    return line === '' ? '' : ' '.repeat(textColumn) + line
  })
}
