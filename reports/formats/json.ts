import type { Report } from '../../spec/model/report.js'
import { codePointEscape } from './shared/escape.js'

// Beyond what JSON itself escapes: C1, DEL, format characters, odd spaces; and `##[`, which a CI service obeys
// anywhere in a line. As JSON escapes they are the same value, and harmless when the file is printed.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u
// What is tried against the table of Unicode: next to nothing of megabytes, without the marks around what is hidden.
const UNUSUAL = /[^\n -~‹›]/gu
const LOGGING_COMMAND = /#(?=#[a-z]*\[)/gi

/** `report.json`: two spaces, the order of the value, a newline at the end. The same report gives the same bytes. */
export function renderJson(report: Report): string {
  return jsonText(report)
}

/** Items of a list that are written at once, so that thousands of results are never in memory as one text too. */
const ITEMS = 100

/** The same text in pieces. */
export function* renderJsonPieces(report: Report): Generator<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(report)) {
    if (value === undefined) continue
    yield before
    if (Array.isArray(value)) yield* listPieces(name, value)
    else yield harmless(memberText(name, value))
    before = ',\n'
  }
  yield '\n}\n'
}

function* listPieces(name: string, items: readonly unknown[]): Generator<string> {
  const begin = memberText(name, [0]).indexOf('[') + '[\n'.length
  const end = '\n  ]'.length
  for (let from = 0; from === 0 || from < items.length; from += ITEMS) {
    const text = harmless(memberText(name, items.slice(from, from + ITEMS)))
    const isLast = from + ITEMS >= items.length
    yield `${from === 0 ? '' : ',\n'}${text.slice(from === 0 ? 0 : begin, isLast ? undefined : -end)}`
  }
}

/** The text of a member within an object, without the braces. */
function memberText(name: string, value: unknown): string {
  return JSON.stringify({ [name]: value }, null, 2).slice('{\n'.length, -'\n}'.length)
}

/** Any value as JSON that is harmless when it is printed. */
export function jsonText(value: object): string {
  return `${harmless(JSON.stringify(value, null, 2))}\n`
}

/** The same in one line. */
export function jsonLine(value: object): string {
  return `${harmless(JSON.stringify(value))}\n`
}

function harmless(json: string): string {
  return json
    .replace(UNUSUAL, (character) => (HIDDEN.test(character) ? utf16Escapes(character) : character))
    .replace(LOGGING_COMMAND, '\\u0023')
}

/** JSON knows no `\u{…}`: beyond the basic plane it takes a pair. */
function utf16Escapes(character: string): string {
  return character.split('').map(codePointEscape).join('')
}
