import { type JsonNode, pointerTo } from '../../../../spec/model/json.js'
import { isSecretMember } from '../../../evidence/describe.js'
import { instantOf } from '../../../exchange/headers.js'

/** A value as clients see it, without what must differ between two services. */
export type Seen =
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly members: ReadonlyMap<string, Seen>
    }
  | { readonly kind: 'array'; readonly items: readonly Seen[] }
  | { readonly kind: 'leaf'; readonly type: string; readonly text: string }
  /** A point in time in some format. */
  | {
      readonly kind: 'instant'
      readonly format: string
      /** Milliseconds after the answer's own time. */
      readonly ms: number
      /** The earliest instant of the answer, and milliseconds after it. */
      readonly earliest: { readonly at: string; readonly ms: number }
    }

/** What a side is known by, and what is shown in its place: the longest first. */
export type Known = readonly (readonly [text: string, label: string])[]

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi
const LONG_ID = /\b(?=[\da-z]*\d)[\da-f]{16,}\b/gi
const ID_NAME = /(?:^|[_-])(?:id|uuid|guid)$|I[dD]$/
const IN_TEXT =
  /\b[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g
/** A number of seconds or milliseconds is an instant where it is so near to the answer's time. */
const NEAR_MS = 400 * 86_400_000
const DATE_LIKE = /^(?=.*\d)(?:[A-Z][a-z]{2,8},? .*\d\d:\d\d|\d{4}-\d\d-\d\d)/

/** Reads the answers to one probe of one side: ids and tokens are named by their first use. */
export class Normaliser {
  readonly #known: Known
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(known: Known) {
    this.#known = known
  }

  /** @param timeMs the answer's own time */
  json(root: JsonNode, timeMs: number): Seen {
    let earliest = { at: '', ms: Number.POSITIVE_INFINITY }
    const leaf = (node: JsonNode, name: string, at: string): Seen => {
      const instant = (format: string, ms: number): Seen => {
        if (ms < earliest.ms) earliest = { at, ms }
        return { kind: 'instant', format, ms, earliest }
      }
      if (node.kind === 'literal') return { kind: 'leaf', type: 'literal', text: String(node.value) }
      if (node.kind === 'number') {
        const value = Number(node.raw)
        for (const [unit, scale] of [
          ['seconds', 1000],
          ['milliseconds', 1],
        ] as const)
          if (Math.abs(value * scale - timeMs) < NEAR_MS) return instant(`${unit} since 1970`, value * scale)
        return {
          kind: 'leaf',
          type: 'number',
          text: ID_NAME.test(name) ? this.#bind(node.raw, 'id') : String(value),
        }
      }
      const text = node.kind === 'string' ? node.value : ''
      const ms = DATE_LIKE.test(text) ? instantOf(text.trim()) : undefined
      if (ms !== undefined) return instant(shapeOf(text), ms)
      if (text === '') return { kind: 'leaf', type: 'string', text }
      if (isSecretMember(name) && !text.includes(' '))
        return { kind: 'leaf', type: 'string', text: this.#bind(text, name) }
      if (ID_NAME.test(name)) return { kind: 'leaf', type: 'string', text: this.#bind(text, 'id') }
      return { kind: 'leaf', type: 'string', text: this.text(text) }
    }
    const walk = (node: JsonNode, name: string, at: string, depth: number): Seen => {
      // Deeper than any answer; the engine's reader has no limit, this recursion has.
      if (depth > 50) return { kind: 'leaf', type: 'deep', text: '…' }
      if (node.kind === 'array')
        return {
          kind: 'array',
          items: node.items.map((item, index) => walk(item, name, pointerTo(at, index), depth + 1)),
        }
      if (node.kind !== 'object') return leaf(node, name, at)
      const members = new Map(
        node.members.map((member) => [
          member.name,
          walk(member.value, member.name, pointerTo(at, member.name), depth + 1),
        ]),
      )
      return { kind: 'object', names: [...members.keys()], members }
    }
    const relative = (seen: Seen): Seen => {
      if (seen.kind === 'array') return { ...seen, items: seen.items.map(relative) }
      if (seen.kind === 'object')
        return {
          ...seen,
          members: new Map([...seen.members].map(([name, value]) => [name, relative(value)])),
        }
      if (seen.kind !== 'instant') return seen
      return { ...seen, ms: seen.ms - timeMs, earliest: { at: earliest.at, ms: seen.ms - earliest.ms } }
    }
    const seen = walk(root, '', '', 0)
    return earliest.at === '' ? seen : relative(seen)
  }

  text(text: string): string {
    let shown = text
    for (const [own, label] of this.#known) if (own !== '') shown = shown.replaceAll(own, label)
    return shown
      .replace(IN_TEXT, (date) => `‹${shapeOf(date)}›`)
      .replace(UUID, (id) => this.#bind(id, 'id'))
      .replace(LONG_ID, (id) => this.#bind(id, 'id'))
  }

  #bind(value: string, what: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, count)
    const name = `‹${what} ${count}›`
    this.#names.set(value, name)
    return name
  }
}

/** The format of a date: letters and digits alike are one. An IMF-fixdate is named. */
function shapeOf(date: string): string {
  if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(date)) return 'IMF-fixdate'
  return date
    .replace(/GMT|UTC/gi, (zone) => `«${zone}»`)
    .replace(/(?<!«\w*)[a-z](?!\w*»)/g, 'a')
    .replace(/(?<!«\w*)[A-Z](?!\w*»)/g, 'A')
    .replace(/[«»]/g, '')
    .replace(/\d/g, '9')
}
