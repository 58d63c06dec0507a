export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A JSON value with its place in the text: what `JSON.parse` forgets (member order, duplicates, a number's raw text). */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: JsonMember[]; readonly start: number; end: number }
  | { readonly kind: 'array'; readonly items: JsonNode[]; readonly start: number; end: number }
  | { readonly kind: 'string'; readonly value: string; readonly start: number; readonly end: number }
  | { readonly kind: 'number'; readonly raw: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'literal'
      readonly value: true | false | null
      readonly start: number
      readonly end: number
    }

export interface JsonMember {
  readonly name: string
  readonly value: JsonNode
  readonly start: number
}

/** The raw value of the last member of that name (as `JSON.parse` would have it), or undefined. */
export function memberOf(node: JsonNode | undefined, name: string): JsonMember | undefined {
  if (node?.kind !== 'object') return undefined
  return node.members.findLast((member) => member.name === name)
}

/** The members whose name an object of the tree has already. */
export function duplicateMembers(root: JsonNode): readonly JsonMember[] {
  const duplicates: JsonMember[] = []
  const pending: JsonNode[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'array') for (const item of node.items) pending.push(item)
    if (node.kind !== 'object') continue
    const seen = new Set<string>()
    for (const member of node.members) {
      const { name, value } = member
      if (seen.has(name)) duplicates.push(member)
      seen.add(name)
      if (value.kind === 'object' || value.kind === 'array') pending.push(value)
    }
  }
  return duplicates
}

/** The keys and indices that an RFC 6901 pointer goes through. */
export function pointerSegments(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The key or index that a pointer ends in; of the whole value the empty one. */
export function lastSegment(pointer: string): string {
  return pointerSegments(pointer).at(-1) ?? ''
}

/** The pointer of a member or item below another pointer; the whole value has the empty one. */
export function pointerTo(parent: string, key: string | number): string {
  const text = String(key)
  return `${parent}/${/[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text}`
}

export function isMap(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
