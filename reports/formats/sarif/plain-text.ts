import { visible } from '../shared/escape.js'

/** A plain text of SARIF, each part on a line, and harmless: `[…](…)` would be a link in it. */
export function plainText(...parts: readonly string[]): string {
  return parts.map((part) => visible(part).replaceAll('](', ']\\u0028')).join('\n')
}
