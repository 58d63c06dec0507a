import { type JsonNode, memberOf } from './json-text.js'

/** The text at an RFC 6901 pointer: a string's value, or a number as it is written. */
export function textAt(root: JsonNode | undefined, pointer: string): string | undefined {
  let node = root
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    node = node?.kind === 'array' ? node.items[Number(name)] : memberOf(node, name)?.value
  }
  if (node?.kind === 'string') return node.value
  return node?.kind === 'number' ? node.raw : undefined
}

/** Every string value of a tree, decoded. */
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
