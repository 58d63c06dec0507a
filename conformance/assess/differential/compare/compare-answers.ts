import { pointerTo } from '../../../../spec/model/json.js'
import type { AnswerView } from './answer-view.js'
import type { NormalValue } from './normalise-body.js'

export interface PlaceDifference {
  /** The part of the answer: `status`, `header date`; for a value in the body its JSON pointer. */
  readonly at: string
  readonly old: string
  readonly new: string
  /** What they have in common with other answers of the same service, where both are examples. */
  readonly shape?: { readonly old: string; readonly new: string }
}

/** Clocks tick between the two answers: milliseconds. */
const TOLERANCE_MS = 2000

/** Every place in which two answers differ, in a fixed order. Pure. */
export function compareAnswers(a: AnswerView, b: AnswerView): readonly PlaceDifference[] {
  const found: PlaceDifference[] = []
  const differ: Differ = (at, old, now, examples) => {
    if (old === now) return
    found.push(examples === undefined ? { at, old, new: now } : { at, ...examples, shape: { old, new: now } })
  }
  differ('outcome', a.fate, b.fate)
  differ('status', a.status, b.status)
  differ('media type', a.mediaType, b.mediaType, { old: a.contentType, new: b.contentType })
  // Clients that compare the text see another spelling of the same media type too.
  if (a.mediaType === b.mediaType) differ('header content-type', a.contentType, b.contentType)
  const names = [...new Set([...a.headers.keys(), ...b.headers.keys()])].sort()
  for (const name of names)
    differ(`header ${name}`, a.headers.get(name) ?? 'none', b.headers.get(name) ?? 'none')
  differ('JSON', a.problems || 'strict', b.problems || 'strict')
  compareValues('', a.body, b.body, differ)
  if (a.issue !== undefined && b.issue !== undefined) differ('later /.issued', a.issue, b.issue)
  return found
}

type Differ = (
  at: string,
  old: string,
  now: string,
  examples?: { readonly old: string; readonly new: string },
) => void

function compareValues(at: string, a: NormalValue, b: NormalValue, differ: Differ): void {
  if (a.kind === 'object' && b.kind === 'object') {
    for (const name of new Set([...a.names, ...b.names]))
      differ(`member ${pointerTo(at, name)}`, presence(a.members.has(name)), presence(b.members.has(name)))
    const common = (names: readonly string[], other: ReadonlyMap<string, NormalValue>) =>
      names.filter((name) => other.has(name)).join(', ')
    differ(`order ${at}`, common(a.names, b.members), common(b.names, a.members))
    for (const [name, value] of a.members) {
      const other = b.members.get(name)
      if (other !== undefined) compareValues(pointerTo(at, name), value, other, differ)
    }
  } else if (a.kind === 'array' && b.kind === 'array') {
    differ(`length ${at}`, items(a.items.length), items(b.items.length))
    for (const [index, item] of a.items.entries()) {
      const other = b.items[index]
      if (other !== undefined) compareValues(pointerTo(at, index), item, other, differ)
    }
  } else if (a.kind === 'instant' && b.kind === 'instant') {
    differ(`format ${at}`, a.format, b.format, { old: a.text, new: b.text })
    // The earliest is held against the clock, the others against it to the second: where both have the same one.
    const isHeldAgainstIt = a.earliest.at === b.earliest.at && a.earliest.at !== at
    const isSame = isHeldAgainstIt ? a.earliest.ms === b.earliest.ms : Math.abs(a.ms - b.ms) <= TOLERANCE_MS
    if (!isSame) differ(at, after(a, isHeldAgainstIt), after(b, isHeldAgainstIt))
  } else {
    const isLeaf = a.kind === 'leaf' && b.kind === 'leaf'
    if (isLeaf && a.format && b.format) differ(`format ${at}`, a.format, b.format)
    differ(
      at || 'body',
      describe(a),
      describe(b),
      a.kind === b.kind ? undefined : { old: exampleOf(a), new: exampleOf(b) },
    )
  }
}

function after(
  { ms, earliest }: Extract<NormalValue, { kind: 'instant' }>,
  isHeldAgainstEarliest: boolean,
): string {
  if (isHeldAgainstEarliest) return `${earliest.ms / 1000} s after \`${earliest.at}\``
  // To the second: the clock ticks while it is compared.
  const seconds = Math.round(ms / 1000)
  return seconds < 0 ? `${-seconds} s before \`Date\`` : `${seconds} s after \`Date\``
}

function presence(isThere: boolean): string {
  return isThere ? 'present' : 'missing'
}

function exampleOf(value: NormalValue): string {
  return value.kind === 'instant' ? value.text : describe(value)
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

/** A value as findings show it. */
export function describe(value: NormalValue): string {
  if (value.kind === 'instant') return `an instant (${value.format})`
  if (value.kind === 'leaf') {
    if (value.type === 'empty') return 'empty'
    return value.type === 'string' ? JSON.stringify(value.text) : value.text
  }
  if (value.kind === 'object') return `an object: ${value.names.join(', ')}`
  const words = value.items.map((item) => (item.kind === 'leaf' && item.type === 'text' ? item.text : ''))
  return words.every((word) => word !== '') && words.length > 0
    ? words.join(' ')
    : `a list of ${value.items.length}`
}
