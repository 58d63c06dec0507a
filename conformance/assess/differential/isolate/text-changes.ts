/** Any other change: it may be one decision with yet another. */
export const OTHER = 'other'

const LISTED: ReadonlySet<string> = new Set(['grant type', 'media type'])
/** What functions that trim remove: control characters too. */
const OUTER = /^[\s\0-\x20]+|[\s\0-\x20]+$/g

/** How a text of a login was changed. A service decides on white space, on letter case and on each listed name separately. */
export function kindOfChange(value: string, plain: string, place: string): string {
  if (isOtherCase(value, plain)) return 'letter case'
  if (value !== plain && value.replace(OUTER, '') === plain) return 'white space'
  return LISTED.has(place) && !value.includes(plain) ? `value ${value}` : OTHER
}

/** In other letter case, or bound to a text that is. */
export function isOtherCase(value: string, plain: string): boolean {
  if (value === '$account.otherCase' || value.startsWith('$upperFresh.')) return true
  return value !== plain && value.toLowerCase() === plain.toLowerCase()
}
