import { AssayError } from '../model/assay-error.js'

/** How much a file may hold: what reads it takes time and memory for each value. */
export interface Bounds {
  /** Values, with those that aliases repeat. */
  readonly maxValues: number
}

/** Of what people write by hand. */
export const DEFAULT_BOUNDS: Bounds = { maxValues: 20_000 }

/** Parsers and validators recurse; that of YAML gives up at some 700 levels. */
export const MAX_DEPTH = 200

export function tooDeep(file: string): AssayError {
  return new AssayError('malformed-file', `${file}: expected at most ${MAX_DEPTH} levels of nesting`)
}

export function tooLarge(file: string, { maxValues }: Bounds): AssayError {
  return new AssayError('malformed-file', `${file}: expected at most ${maxValues} values, found more`)
}

/**
 * Refuses YAML that might exhaust a parser's stack, which at worst takes the process with it. Counts brackets and leading
 * block marks without reading what is quoted: no real file comes near it either way.
 * @throws AssayError `malformed-file`
 */
export function refuseDeepYaml(file: string, text: string): void {
  if (new RegExp(`^[ \\t?:-]{${MAX_DEPTH}}`, 'm').test(text)) throw tooDeep(file)
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (depth > MAX_DEPTH) throw tooDeep(file)
  }
}

/**
 * Refuses JSON of more levels or values than that, before it is parsed: what a service sent may be in its strings, which
 * do not count.
 * @returns how many members the objects of a valid text have, with those of a name that they have already
 * @throws AssayError `malformed-file`
 */
export function refuseLargeJson(file: string, text: string, bounds: Bounds): { readonly members: number } {
  let depth = 0
  let values = 1
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1
      values += 1
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1
    else if (code === COMMA) values += 1
    else if (code === COLON) members += 1
    if (depth > MAX_DEPTH) throw tooDeep(file)
    if (values > bounds.maxValues) throw tooLarge(file, bounds)
  }
  return { members }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/** The place of the quote that ends the string which begins at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
