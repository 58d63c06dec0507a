import { readJson } from '../../spec/load/read-json.js'
import { groupBy } from '../../spec/model/items.js'
import { type Json, type JsonNode, memberOf, pointerSegments } from '../../spec/model/json.js'

/** Whether the text's value equals the expected one; objects are closed, member order is free, a duplicate differs. */
export function jsonEquals(node: JsonNode | undefined, expected: Json): boolean {
  const { root } = readJson(JSON.stringify(expected))
  return node !== undefined && root !== undefined && sameJson(node, root)
}

/**
 * Whether two texts have the same value. Numbers are compared by value, members in any order, duplicates one by one.
 * @param areAlike whether two values that differ count as the same
 */
export function sameJson(
  a: JsonNode,
  b: JsonNode,
  areAlike: (left: JsonNode, right: JsonNode) => boolean = () => false,
): boolean {
  const pending: [JsonNode, JsonNode][] = [[a, b]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right] = pair
    if (left.kind === 'object' && right.kind === 'object') {
      if (left.members.length !== right.members.length) return false
      // The first of several with one name is taken first. A hostile body may have very many members.
      const others = groupBy(right.members.toReversed(), ({ name }) => name)
      for (const { name, value } of left.members) {
        const other = others.get(name)?.pop()?.value
        if (other === undefined) return false
        pending.push([value, other])
      }
    } else if (left.kind === 'array' && right.kind === 'array') {
      if (left.items.length !== right.items.length) return false
      for (const [index, item] of left.items.entries()) {
        const other = right.items[index]
        if (other === undefined) return false
        pending.push([item, other])
      }
    } else if (!sameScalar(left, right) && !areAlike(left, right)) return false
  }
  return true
}

function sameScalar(left: JsonNode, right: JsonNode): boolean {
  if (left.kind === 'number') return right.kind === 'number' && Number(left.raw) === Number(right.raw)
  return (
    (left.kind === 'string' || left.kind === 'literal') &&
    right.kind === left.kind &&
    right.value === left.value
  )
}

/** What is at an RFC 6901 pointer. */
export function nodeAt(root: JsonNode | undefined, pointer: string): JsonNode | undefined {
  let node = root
  for (const name of pointerSegments(pointer)) {
    node = node?.kind === 'array' ? node.items[Number(name)] : memberOf(node, name)?.value
  }
  return node
}

/** The text at an RFC 6901 pointer: a string's value, or a number as it is written. */
export function textAt(root: JsonNode | undefined, pointer: string): string | undefined {
  const node = nodeAt(root, pointer)
  if (node?.kind === 'string') return node.value
  return node?.kind === 'number' ? node.raw : undefined
}

export function stringsOf(root: JsonNode): readonly string[] {
  const found: string[] = []
  const pending: JsonNode[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'string') found.push(node.value)
    if (node.kind === 'array') for (const item of node.items) pending.push(item)
    if (node.kind === 'object') for (const { value } of node.members) pending.push(value)
  }
  return found
}
