import { type JsonNode, pointerTo } from '../../../../spec/model/json.js'
import { isSecretMember, secretNameIn } from '../../../evidence/hidden-fields.js'
import { imfFixdateProblem, instantOf } from '../../../exchange/headers.js'

/** A JSON value, or the words of a text, as clients see them: without what must differ between two services. */
export type NormalValue =
  | {
      readonly kind: 'object'
      readonly names: readonly string[]
      readonly members: ReadonlyMap<string, NormalValue>
    }
  | { readonly kind: 'array'; readonly items: readonly NormalValue[] }
  | LeafValue
  | InstantValue

interface LeafValue {
  readonly kind: 'leaf'
  readonly type: string
  readonly text: string
  /** Of an integer: strict parsers take one spelling of it. */
  readonly format?: string
}

interface InstantValue {
  readonly kind: 'instant'
  readonly format: string
  /** As it is written. */
  readonly text: string
  /** Milliseconds after the answer's own time. */
  readonly ms: number
  /** The earliest instant of the answer, and milliseconds after it. */
  readonly earliest: { readonly at: string; readonly ms: number }
}

/** Texts that name one side, each with the label that takes its place: the longest first. */
export type KnownTexts = readonly (readonly [text: string, label: string])[]

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi
const LONG_ID = /\b(?=[\da-z]*\d)[\da-f]{16,}\b/gi
const USER_NAME = /^user_?name$/i
const ID_NAME = /(?:^|[_-])(?:id|uuid|guid)$|I[dD]$/
const IN_TEXT =
  /\b[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} [\d:]{8} GMT\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g
/** A number of seconds or milliseconds this near to the answer's time is an instant. */
const NEAR_MS = 400 * 86_400_000
const DATE_LIKE = /^(?=.*\d)(?:[A-Z][a-z]{2,8},? .*\d\d:\d\d|\d{4}-\d\d-\d\d)/

const NO_INTEGER = 'a number with a fraction or an exponent'
const UNITS = [
  ['seconds', 1000],
  ['milliseconds', 1],
] as const
/** More than any answer has: each value is searched for secrets, and may be a finding. */
const MAX_DEPTH = 50
const MAX_VALUES = 1000

/** Why so large a JSON value is not compared. */
export function tooMuchToCompare(root: JsonNode): string | undefined {
  let count = 0
  let level: readonly JsonNode[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length
    if (depth > MAX_DEPTH) return `the JSON of the body is more than ${MAX_DEPTH} levels deep`
    if (count > MAX_VALUES) return `the body holds more than ${MAX_VALUES} JSON values, too many to compare`
    level = level.flatMap(valuesIn)
  }
  return undefined
}

function valuesIn(node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'object') return node.members.map(({ value }) => value)
  return node.kind === 'array' ? node.items : []
}

/** Reads the answers to one probe of one side: ids and tokens are named by their first use. */
export class Normaliser {
  readonly #known: KnownTexts
  /** The same, and how each of them reads where a part of it is hidden. */
  #shown: KnownTexts | undefined
  /** First of all: of a secret that was cut, or divided into words, the parts are found by no later look. */
  readonly redact: (text: string) => string
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(known: KnownTexts, redact: (text: string) => string) {
    this.#known = known.toSorted(longestFirst)
    this.redact = redact
  }

  /** @param root of no more than is compared; `timeMs` the answer's own time */
  json(root: JsonNode, timeMs: number): NormalValue {
    const instants: { readonly at: string; readonly ms: number }[] = []
    const read = (node: JsonNode, name: string, at: string): NormalValue => {
      if (node.kind === 'array')
        return {
          kind: 'array',
          items: node.items.map((item, index) => read(item, name, pointerTo(at, index))),
        }
      if (node.kind === 'object') {
        const nameOf = secretNameIn(node)
        const members = new Map(
          node.members.map((member) => {
            const own = this.redact(member.name)
            const named = this.redact(nameOf(member.name) ?? member.name)
            return [own, read(member.value, named, pointerTo(at, own))]
          }),
        )
        return { kind: 'object', names: [...members.keys()], members }
      }
      const value = this.#scalar(node, name, timeMs)
      if (value.kind === 'instant') instants.push({ at, ms: value.ms })
      return value
    }
    const value = read(root, '', '')
    const [earliest] = instants.toSorted((a, b) => a.ms - b.ms)
    return earliest === undefined ? value : relativeTo(earliest, timeMs, value)
  }

  #scalar(node: Exclude<JsonNode, { kind: 'array' | 'object' }>, name: string, timeMs: number): NormalValue {
    if (node.kind === 'literal') return leaf('literal', String(node.value))
    if (node.kind === 'number') {
      const value = Number(node.raw)
      const near = UNITS.find(([, scale]) => Math.abs(value * scale - timeMs) < NEAR_MS)
      // Of a value that is no integer, the text tells it.
      const isPlain = !Number.isInteger(value) || /^-?\d+$/.test(node.raw)
      if (near !== undefined)
        return instant(`${near[0]} since 1970${isPlain ? '' : `, ${NO_INTEGER}`}`, node.raw, value * near[1])
      const text = ID_NAME.test(name) ? this.#bind(node.raw, 'id') : String(value)
      const format = isPlain ? 'an integer' : NO_INTEGER
      return { ...leaf('number', text), ...(Number.isInteger(value) && { format }) }
    }
    const text = node.value
    const ms = DATE_LIKE.test(text) ? instantOf(text.trim()) : undefined
    if (ms !== undefined) return instant(shapeOf(text), this.redact(text), ms)
    if (text === '') return leaf('string', text)
    if (isSecretMember(name) && !text.includes(' ')) return leaf('string', this.#bind(text, name))
    if (ID_NAME.test(name)) return leaf('string', this.#bind(text, 'id'))
    const shown = this.text(text)
    const changed =
      USER_NAME.test(name) && !shown.includes(USER_NAME_LABEL) ? this.#changedName(text) : undefined
    return leaf('string', changed ?? shown)
  }

  /** A name that was sent, and comes back changed: names differ from request to request, and what changes them does not. */
  #changedName(text: string): string | undefined {
    for (const [own, label] of this.#known) {
      if (!label.startsWith(USER_NAME_LABEL)) continue
      const start = commonStart(own, text)
      const end = commonStart(reversed(own.slice(start)), reversed(text.slice(start)))
      if (start + end < Math.max(MIN_IN_COMMON, own.length / 2)) continue
      const [was = '', is = ''] = [own, text].map((name) => name.slice(start, name.length - end))
      const how = /[a-z\d]/i.test(was)
        ? 'spelled otherwise'
        : is === ''
          ? `without ${was}`
          : `with ${is} for ${was}`
      return this.redact(`${label}, ${how}`)
    }
    return undefined
  }

  text(text: string): string {
    let shown = this.redact(text)
    for (const [own, label] of shown.includes('‹') ? this.#knownOrRedacted() : this.#known)
      if (own !== '') shown = shown.replaceAll(own, label)
    return shown
      .replace(IN_TEXT, (date) => `‹${shapeOf(date)}›`)
      .replace(UUID, (id) => this.#bind(id, 'id'))
      .replace(LONG_ID, (id) => this.#bind(id, 'id'))
  }

  #knownOrRedacted(): KnownTexts {
    if (this.#shown === undefined) {
      const all = this.#known.flatMap(([text, label]) => [
        [text, label] as const,
        [this.redact(text), label] as const,
      ])
      // What is hidden in any letter case has one label.
      this.#shown = all
        .filter(([text], at) => all.findIndex(([other]) => other === text) === at)
        .sort(longestFirst)
    }
    return this.#shown
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

const USER_NAME_LABEL = '‹userName'
/** Fewer characters, or less than half of it, are no name that was sent: a declared name may begin and end as a made-up one. */
const MIN_IN_COMMON = 3

function commonStart(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  return at
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}

function longestFirst([a]: KnownTexts[number], [b]: KnownTexts[number]): number {
  return b.length - a.length
}

function leaf(type: string, text: string): LeafValue {
  return { kind: 'leaf', type, text }
}

function instant(format: string, text: string, ms: number): InstantValue {
  return { kind: 'instant', format, text, ms, earliest: { at: '', ms } }
}

function relativeTo(earliest: InstantValue['earliest'], timeMs: number, value: NormalValue): NormalValue {
  const relative = (one: NormalValue): NormalValue => relativeTo(earliest, timeMs, one)
  switch (value.kind) {
    case 'array':
      return { ...value, items: value.items.map(relative) }
    case 'object':
      return { ...value, members: new Map([...value.members].map(([name, own]) => [name, relative(own)])) }
    case 'instant':
      return { ...value, ms: value.ms - timeMs, earliest: { at: earliest.at, ms: value.ms - earliest.ms } }
    case 'leaf':
      return value
  }
}

/** The format of a date: all letters, and all digits, are the same. An IMF-fixdate, of the right weekday, has its name. */
function shapeOf(date: string): string {
  if (imfFixdateProblem(date) === undefined) return 'IMF-fixdate'
  return date.replace(/GMT|UTC|[a-z]|\d/gi, (part) => {
    if (part.length > 1) return part
    return /\d/.test(part) ? '9' : /[a-z]/.test(part) ? 'a' : 'A'
  })
}
