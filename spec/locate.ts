import { type Document, isAlias, isCollection, isMap, isNode, isPair, isScalar, isSeq, type Node } from 'yaml'
import { pointerSegments } from './position.js'

/** Offsets of the key and of the value that a pointer names, or of the deepest part of it that is there. */
export function locate(
  document: Document,
  pointer: string,
): { readonly key: number; readonly value: number } {
  let node = resolve(document, document.contents)
  let value = node?.range?.[0] ?? 0
  let key = value
  for (const segment of pointerSegments(pointer)) {
    const found = child(node, segment)
    if (found === undefined) return { key, value }
    key = found.key
    node = resolve(document, found.node)
    value = found.node?.range?.[0] ?? key
  }
  return { key, value }
}

function child(
  node: Node | undefined,
  segment: string,
): { readonly key: number; readonly node: Node | null } | undefined {
  if (!isCollection(node)) return undefined
  if (isSeq(node)) {
    const item = node.items[Number(segment)]
    return isNode(item) ? { key: item.range?.[0] ?? 0, node: item } : undefined
  }
  if (!isMap(node)) return undefined
  const pair = node.items.find(
    (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === segment,
  )
  if (pair === undefined || !isScalar(pair.key)) return undefined
  return { key: pair.key.range?.[0] ?? 0, node: isNode(pair.value) ? pair.value : null }
}

function resolve(document: Document, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document)
  return isNode(node) ? node : undefined
}
