import { count } from './phrase.js'

/** Breaks prose between words into lines of at most `width` columns; a word that is longer is broken itself. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = breakAnywhere(word, width)
    line = pieces.pop() ?? ''
    lines.push(...pieces)
  }
  return [...lines, line]
}

const SOFT = /[,;& ]/

/**
 * Breaks bytes into lines of at most `width` columns: nothing is added or dropped. A line ends after one of
 * `, ; &` or a space where there is one near its end, else anywhere.
 */
export function breakAnywhere(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  let soft = 0
  for (const character of text) {
    const columns = displayWidth(character)
    if (used + columns > width && line !== '') {
      const at = soft > line.length * 0.6 ? soft : line.length
      lines.push(line.slice(0, at))
      line = line.slice(at)
      used = displayWidth(line)
      soft = 0
    }
    line += character
    used += columns
    if (SOFT.test(character)) soft = line.length
  }
  return [...lines, line]
}

/** The first lines, and a line that says how many are missing. */
export function atMost(lines: readonly string[], max: number): string[] {
  const more = lines.length - max
  return more > 0 ? [...lines.slice(0, max), `… ${count(more, 'more line')}`] : [...lines]
}

// The East Asian wide and full-width blocks and the emoji planes: two columns each on a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

const ZERO = /\p{M}/u

const ANSI = /\u001b\[[\d;]*m/g

const PLAIN = /^[\x20-\x7e]*$/

/** How many terminal columns a text takes; colours take none. The text's own control characters are escaped before. */
export function displayWidth(text: string): number {
  const bare = text.replace(ANSI, '')
  if (PLAIN.test(bare)) return bare.length
  let columns = 0
  for (const character of bare) columns += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return columns
}

/** The longest beginning of a text that fits into so many columns. */
function fit(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, columns))
  let used = 0
  let kept = ''
  for (const character of text) {
    used += displayWidth(character)
    if (used > columns) break
    kept += character
  }
  return kept
}

/** A text that takes at most so many columns, the cut shown by `…`. */
export function ellipsis(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${fit(text, columns - 1)}…`
}
