/**
 * How a text of a login was changed. What a service makes of white space, of letter case, and of another name in the place of
 * the right one, it decides apart from all the rest.
 */
export function kindOfChange(value: string, plain: string, place: string): string {
  if (isOtherCase(value, plain)) return 'letter case'
  if (value !== plain && value.replace(OUTER, '') === plain) return 'white space'
  // Of names that someone wrote into a list each is its own.
  return LISTED.has(place) && !value.includes(plain) ? `value ${value}` : OTHER
}

/** What may be part of one decision with another change: only the beginning counts, or what is contained. */
export const OTHER = 'other'

const LISTED: ReadonlySet<string> = new Set(['grant type', 'media type'])
/** What functions that trim take away: control characters too. */
const OUTER = /^[\s\0-\x20]+|[\s\0-\x20]+$/g

/** In other letter case, or what is bound to be so. */
export function isOtherCase(value: string, plain: string): boolean {
  if (value === '$account.otherCase' || value.startsWith('$upperFresh.')) return true
  return value !== plain && value.toLowerCase() === plain.toLowerCase()
}
