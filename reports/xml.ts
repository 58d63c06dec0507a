import { defuseLine, visible } from './escape.js'

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// `>` too, which takes care of `]]>`.
const escapeMarkup = (text: string) => text.replace(/[&<>"]/g, (character) => SPECIAL[character] ?? character)

/** Text between tags. Characters that XML 1.0 forbids, and those that hide, become visible escapes; lines stay lines. */
export function xmlText(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkup(defuseLine(visible(line))))
    .join('\n')
}

/** The value of an attribute in double quotes, on one line. */
export function xmlAttribute(text: string): string {
  return escapeMarkup(defuseLine(visible(text)))
}
