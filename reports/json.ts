import type { Report } from '../spec/types.js'
import { codePointEscape } from './escape.js'

// Beyond what JSON itself escapes: C1, DEL, format characters, odd spaces; and `##[`, which a CI service obeys
// wherever it stands. As JSON escapes they are the same value, and harmless when the file is printed.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u
// What is tried against the table of Unicode: next to nothing of megabytes, without the marks around what is hidden.
const UNUSUAL = /[^\n -~‹›]/gu
const LOGGING_COMMAND = /#(?=#[a-z]*\[)/gi

/** `report.json`: two spaces, the order of the value, a newline at the end. The same report gives the same bytes. */
export function renderJson(report: Report): string {
  return jsonText(report)
}

/** Any value as JSON that is harmless when it is printed. */
export function jsonText(value: object): string {
  return harmless(JSON.stringify(value, null, 2))
}

/** The same in one line. */
export function jsonLine(value: object): string {
  return harmless(JSON.stringify(value))
}

function harmless(json: string): string {
  const text = json
    .replace(UNUSUAL, (character) => (HIDDEN.test(character) ? utf16Escapes(character) : character))
    .replace(LOGGING_COMMAND, '\\u0023')
  return `${text}\n`
}

/** JSON knows no `\u{…}`: beyond the basic plane it takes a pair. */
function utf16Escapes(character: string): string {
  return character.split('').map(codePointEscape).join('')
}
