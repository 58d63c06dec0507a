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
export function fit(text: string, columns: number): string {
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
