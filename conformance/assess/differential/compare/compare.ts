import { pointerTo } from '../../../../spec/model/json.js'
import type { Seen } from './normalise.js'
import type { View } from './view.js'

/** One place in which two answers differ. */
export interface Difference {
  /** What kind of place; a JSON pointer where it is one of a value. */
  readonly at: string
  readonly old: string
  readonly new: string
}

/** Clocks and answers tick while they are compared: milliseconds. */
const TOLERANCE_MS = 2000

/** Every place in which two answers differ, in a fixed order. Pure. */
export function compareViews(a: View, b: View): readonly Difference[] {
  const found: Difference[] = []
  const differ = (at: string, old: string, now: string): void => {
    if (old !== now) found.push({ at, old, new: now })
  }
  differ('fate', a.fate, b.fate)
  differ('status', a.status, b.status)
  differ('media type', a.mediaType, b.mediaType)
  const names = [...new Set([...a.headers.keys(), ...b.headers.keys()])].sort()
  for (const name of names)
    differ(`header ${name}`, a.headers.get(name) ?? 'none', b.headers.get(name) ?? 'none')
  differ('JSON', a.problems || 'strict', b.problems || 'strict')
  compareSeen('', a.body, b.body, differ)
  return found
}

type Differ = (at: string, old: string, now: string) => void

function compareSeen(at: string, a: Seen, b: Seen, differ: Differ): void {
  if (a.kind === 'object' && b.kind === 'object') {
    const [only, also] = [
      a.names.filter((name) => !b.members.has(name)),
      b.names.filter((name) => !a.members.has(name)),
    ]
    if (only.length + also.length > 0)
      differ(`members ${at}`, only.join(', ') || 'no other', also.join(', ') || 'no other')
    const common = (names: readonly string[], other: ReadonlyMap<string, Seen>) =>
      names.filter((name) => other.has(name)).join(', ')
    differ(`order ${at}`, common(a.names, b.members), common(b.names, a.members))
    for (const [name, value] of a.members) {
      const other = b.members.get(name)
      if (other !== undefined) compareSeen(pointerTo(at, name), value, other, differ)
    }
  } else if (a.kind === 'array' && b.kind === 'array') {
    differ(`length ${at}`, `${a.items.length} items`, `${b.items.length} items`)
    for (const [index, item] of a.items.entries()) {
      const other = b.items[index]
      if (other !== undefined) compareSeen(pointerTo(at, index), item, other, differ)
    }
  } else if (a.kind === 'instant' && b.kind === 'instant') {
    differ(`format ${at}`, a.format, b.format)
    // The earliest is held against the clock, the others against it to the second: where both have the same one.
    const isHeldAgainstIt = a.earliest.at === b.earliest.at && a.earliest.at !== at
    const isSame = isHeldAgainstIt ? a.earliest.ms === b.earliest.ms : Math.abs(a.ms - b.ms) <= TOLERANCE_MS
    if (!isSame) differ(at, after(a, isHeldAgainstIt), after(b, isHeldAgainstIt))
  } else differ(at || 'body', describe(a), describe(b))
}

function after({ ms, earliest }: Extract<Seen, { kind: 'instant' }>, isHeldAgainstEarliest: boolean): string {
  if (isHeldAgainstEarliest) return `${earliest.ms / 1000} s after \`${earliest.at}\``
  // To the second: the clock ticks while it is compared.
  const seconds = Math.round(ms / 1000)
  return seconds < 0 ? `${-seconds} s before \`Date\`` : `${seconds} s after \`Date\``
}

/** A value in a few words. */
function describe(seen: Seen): string {
  if (seen.kind === 'instant') return `an instant (${seen.format})`
  if (seen.kind === 'leaf') {
    if (seen.type === 'empty') return 'empty'
    return seen.type === 'string' ? JSON.stringify(seen.text) : seen.text
  }
  if (seen.kind === 'object') return `an object: ${seen.names.join(', ')}`
  const words = seen.items.map((item) => (item.kind === 'leaf' && item.type === 'text' ? item.text : ''))
  return words.every((word) => word !== '') && words.length > 0
    ? words.join(' ')
    : `a list of ${seen.items.length}`
}
