import { displayWidth } from './display-width.js'
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
export function atMost(lines: readonly string[], most: number): string[] {
  const more = lines.length - most
  return more > 0 ? [...lines.slice(0, most), `… ${count(more, 'more line')}`] : [...lines]
}
