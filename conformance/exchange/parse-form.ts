import { decodeUtf8 } from './utf8.js'

/** More pairs than this are no honest token request, and each costs memory. */
const MAX_PAIRS = 1000

/** A decoded `application/x-www-form-urlencoded` body. */
export interface ParsedForm {
  /** In the order of the body; a name may occur more than once. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Some pair was not decodable and is left out: a bad `%` escape, invalid UTF-8, or too many pairs. */
  readonly malformed: boolean
}

/**
 * Decodes a form strictly, on its bytes: pairs are split before anything is decoded, `+` is a space, `%XX` a byte, and
 * the bytes of each part must be UTF-8. A guess at a broken password would be a different password.
 */
export function parseForm(body: Uint8Array): ParsedForm {
  const pairs: [string, string][] = []
  let malformed = false
  for (const pair of Buffer.from(body).toString('latin1').split('&')) {
    if (pair === '') continue
    const split = pair.includes('=') ? pair.indexOf('=') : pair.length
    const name = decodePart(pair.slice(0, split))
    const value = decodePart(pair.slice(split + 1))
    if (name === undefined || value === undefined || pairs.length === MAX_PAIRS) malformed = true
    else pairs.push([name, value])
  }
  return { pairs, malformed }
}

/** Every value that the form gives under this name; names are case-sensitive. */
export function formValues(form: ParsedForm, name: string): readonly string[] {
  return form.pairs.filter(([given]) => given === name).map(([, value]) => value)
}

/** @param part bytes as characters */
function decodePart(part: string): string | undefined {
  if (/%(?![\dA-Fa-f]{2})/.test(part)) return undefined
  const bytes = part
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const { text, isValid } = decodeUtf8(Buffer.from(bytes, 'latin1'))
  return isValid ? text : undefined
}

/** Whether forms have such names, with what PHP and Rails put after them. What else is there may be JSON or YAML as a whole. */
export function isParameterName(name: string): boolean {
  return /^[\p{L}\p{N}_.$[\]-]{0,80}$/u.test(name)
}
