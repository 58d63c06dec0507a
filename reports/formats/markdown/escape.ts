import { visible } from '../shared/escape.js'
import { displayWidth, ellipsis } from '../shared/wrap.js'

/** Columns: longer texts are in the report in full. */
const MAX_COLUMNS = 400

/** Text inside a line of Markdown, or as a line of its own, or in a table's cell: no markup, link or mention comes of it. */
export function markdownText(text: string): string {
  return (
    cut(text)
      .trimStart()
      .replace(/[\\`*_[\]<>|~#!&$^]/g, '\\$&')
      // These would begin a list or underline a heading.
      .replace(/^[-+=]/, '\\$&')
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
      // Readers turn these into links without any markup.
      .replaceAll('@', '&#64;')
      .replace(/:(?=\/\/)/g, '&#58;')
      .replace(/\b(www)\./gi, '$1&#46;')
  )
}

/** A sentence of the suite or of the specification: text between backquotes is code. */
export function markdownProse(text: string): string {
  const pieces = text.split('`')
  // An unpaired backquote stays as it is.
  if (pieces.length % 2 === 0 || pieces.length === 1 || text.includes('``')) return markdownText(text)
  return pieces.map((piece, index) => (index % 2 === 1 ? markdownCode(piece) : inner(piece, index))).join('')
}

/** Between two codes the blanks at the edges count. */
function inner(piece: string, index: number): string {
  const start = index > 0 && piece.startsWith(' ') ? ' ' : ''
  return start + markdownText(piece)
}

/**
 * Text as code: in backquotes, one more than the text has in a row. `|` would end a table cell even there, so it is
 * spelled as its escape.
 */
export function markdownCode(text: string): string {
  const line = cut(text).replaceAll('|', '\\u007c')
  if (line.trim() === '') return '(empty)'
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  // One blank on each side is dropped by the reader; without it a backquote at the edge would join the fence.
  return longest > 0 ? `${fence} ${line} ${fence}` : fence + line + fence
}

function cut(text: string): string {
  const line = visible(text)
  return displayWidth(line) > MAX_COLUMNS ? ellipsis(line, MAX_COLUMNS) : line
}
