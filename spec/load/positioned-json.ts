import { AssayError } from '../model/assay-error.js'
import { duplicateMembers, type Json, type JsonNode, memberOf, pointerSegments } from '../model/json.js'
import { type Finding, formatFindings, type Positioned, positionsIn } from './position.js'
import { readJson } from './read-json.js'
import { type Bounds, DEFAULT_BOUNDS, refuseLargeJson } from './text-bounds.js'

/**
 * Reads strict JSON whose objects have no name twice.
 * @param file the name that messages carry
 * @throws AssayError `malformed-file`, with file:line:column; never quoting the text, which may hold passwords
 */
export function readPositionedJson(file: string, text: string, bounds: Bounds = DEFAULT_BOUNDS): Positioned {
  const { members } = refuseLargeJson(file, text, bounds)
  const position = positionsIn(file, text)
  const refuse = (findings: readonly Finding[]) => new AssayError('malformed-file', formatFindings(findings))
  const value = parsed(text)
  if (value === undefined) {
    const at = jsonErrorOffset(text) ?? 0
    const found = at < text.length ? 'another character' : 'the end of the file'
    throw refuse([{ position: position(at), message: `expected JSON, found ${found}` }])
  }
  // Places are asked for only where something is wrong.
  let tree: JsonNode | undefined
  const root = (): JsonNode => {
    tree ??= readJson(text).root ?? NOTHING
    return tree
  }
  // A second member of a name takes the place of the first.
  if (countMembers(value) < members) {
    const repeated = duplicateMembers(root()).toSorted((a, b) => a.start - b.start)
    const message = 'expected each key once, found it a second time'
    throw refuse(repeated.map(({ start }) => ({ position: position(start), message })))
  }
  return {
    file,
    value,
    at: (pointer) => position(locate(root(), pointer).value),
    keyAt: (pointer) => position(locate(root(), pointer).key),
  }
}

const NOTHING: JsonNode = { kind: 'literal', value: null, start: 0, end: 0 }

function parsed(text: string): Json | undefined {
  try {
    // `JSON.parse` is typed any; it gives JSON data.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Of all objects in it. Their depth is bounded. */
function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  let members = Array.isArray(value) ? 0 : parts.length
  for (const part of parts) members += countMembers(part)
  return members
}

/** Offsets of the key and of the value that a pointer names, or of the deepest part of it that is there. */
function locate(root: JsonNode, pointer: string): { readonly key: number; readonly value: number } {
  let node = root
  let key = root.start
  for (const segment of pointerSegments(pointer)) {
    const item = node.kind === 'array' ? node.items[Number(segment)] : undefined
    const found = item === undefined ? memberOf(node, segment) : { start: item.start, value: item }
    if (found === undefined) break
    key = found.start
    node = found.value
  }
  return { key, value: node.start }
}

/**
 * The offset of the first character that makes a text invalid JSON, its length where it ends too early, or undefined
 * where it is valid. Node's own messages name the place only at times, and quote the text at others.
 */
export function jsonErrorOffset(text: string): number | undefined {
  if (verdict(text) === 'valid') return undefined
  // A text that cannot be continued to valid JSON stays so however it goes on: the border is found by halving.
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (verdict(text.slice(0, middle)) === 'broken') bad = middle
    else good = middle
  }
  return Math.min(good, text.length)
}

function verdict(text: string): 'valid' | 'unfinished' | 'broken' {
  try {
    JSON.parse(text)
    return 'valid'
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/unexpected end|unterminated/i.test(message)) return 'unfinished'
    // "… at position N": an error at the very end is one that more text could mend.
    return / at position (\d+)/.exec(message)?.[1] === String(text.length) ? 'unfinished' : 'broken'
  }
}
