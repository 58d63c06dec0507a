import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml'
import { AssayError } from '../model/assay-error.js'
import type { Json } from '../model/json.js'
import { type Bounds, MAX_DEPTH, tooDeep, tooLarge } from './text-bounds.js'

/** What is wrong at a place of the text. */
export interface YamlProblem {
  readonly offset: number
  readonly message: string
}

/** Beyond this many a document is taken for an attack ("billion laughs"). */
const MAX_ALIASES = 1000
/** No one reads more. */
const MAX_PROBLEMS = 100

export const NO_TAG = 'expected no tag, found one (a text that begins with ! is written in quotes)'
const NO_ANCHOR =
  'expected an anchor before its alias, found none (a text that begins with * is written in quotes)'
const KEY_TWICE = 'expected each key once, found it a second time'

/** A value, with what it costs to read it: an alias repeats all of it. */
interface Read {
  readonly value: Json
  readonly values: number
  readonly depth: number
}

/**
 * The value of a document as plain JSON data, or what keeps it from being that. In one pass, and bounded: the library looks
 * for the anchor of each alias in the whole document, and for each key twice in its map.
 * @throws AssayError `malformed-file` for too many aliases, levels or values
 */
export function yamlValue(
  document: Document,
  file: string,
  bounds: Bounds,
): { readonly value: Json; readonly problems: readonly YamlProblem[] } {
  const problems: YamlProblem[] = []
  /** Undefined while the node of the anchor is read. */
  const anchors = new Map<string, Read | undefined>()
  let aliases = 0

  const report = (node: Node, message: string): Read => {
    if (problems.length < MAX_PROBLEMS) problems.push({ offset: node.range?.[0] ?? 0, message })
    return { value: null, values: 1, depth: 0 }
  }
  const readAlias = (node: Node, source: string): Read => {
    aliases += 1
    if (aliases > MAX_ALIASES)
      throw new AssayError('malformed-file', `${file}: expected at most ${MAX_ALIASES} uses of aliases`)
    if (!anchors.has(source)) return report(node, NO_ANCHOR)
    return anchors.get(source) ?? report(node, 'expected no alias inside its own anchor')
  }
  const joined = (value: Json, parts: readonly Read[]): Read => {
    const values = parts.reduce((sum, part) => sum + part.values, 1)
    const depth = parts.reduce((max, part) => Math.max(max, part.depth), 0) + 1
    if (depth > MAX_DEPTH) throw tooDeep(file)
    if (values > bounds.maxValues) throw tooLarge(file, bounds)
    return { value, values, depth }
  }
  const readKey = (key: unknown, seen: Set<string>): string => {
    if (!isScalar(key)) return ''
    if (key.tag !== undefined) report(key, NO_TAG)
    const name = String(key.value)
    if (seen.has(name)) report(key, KEY_TWICE)
    seen.add(name)
    if (key.anchor !== undefined) anchors.set(key.anchor, { value: name, values: 1, depth: 0 })
    return name
  }
  const readMap = (items: readonly unknown[]): Read => {
    const seen = new Set<string>()
    const members = items.flatMap((item) =>
      isPair(item) ? [[readKey(item.key, seen), read(item.value)] as const] : [],
    )
    return joined(
      Object.fromEntries(members.map(([name, { value }]) => [name, value])),
      members.map(([, part]) => part),
    )
  }
  const readContent = (node: Node): Read => {
    if (isMap(node)) return readMap(node.items)
    if (isSeq(node)) {
      const parts = node.items.map(read)
      return joined(
        parts.map(({ value }) => value),
        parts,
      )
    }
    const value = isScalar(node) ? (node.value ?? null) : null
    if (typeof value === 'number' && !Number.isFinite(value))
      return report(node, 'expected a number, found one that JSON does not have')
    // Without tags these are all the scalars that there are.
    return { value: value as Json, values: 1, depth: 0 }
  }
  const read = (node: unknown): Read => {
    if (isAlias(node)) return readAlias(node, node.source)
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return { value: null, values: 1, depth: 0 }
    if (node.tag !== undefined) report(node, NO_TAG)
    if (node.anchor !== undefined) anchors.set(node.anchor, undefined)
    const found = readContent(node)
    if (node.anchor !== undefined) anchors.set(node.anchor, found)
    return found
  }
  const { value } = read(document.contents)
  return { value, problems }
}
