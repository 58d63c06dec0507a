import { codePointEscape } from '../reports/escape.js'

// What cannot be seen, or moves what is read: it may come from a service.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** The text as a YAML 1.2 string in double quotes, for a target file: `${` in it is no environment variable. */
export function yamlText(text: string): string {
  const literal = text.replaceAll('${', () => '$${')
  // YAML takes every string of JSON, and has an escape of its own beyond the basic plane.
  return JSON.stringify(literal).replace(HIDDEN, (character) =>
    codePointEscape(character).replace(/^\\u\{(.*)\}$/, (_, hex: string) => `\\U${hex.padStart(8, '0')}`),
  )
}
