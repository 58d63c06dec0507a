import { type JsonNode, readJson } from '../wire/json-text.js'

/** Members whose values are credentials, and never shown. */
export function isSecretMember(name: string): boolean {
  return /(?:^|_)token$/i.test(name) || /password|secret/i.test(name)
}

/**
 * A body's text with the values of its secret members replaced, and every other character as it came. What is cut must
 * come from here: half a token is found by no later look.
 */
export function withoutSecretMembers(text: string): string {
  const { root } = readJson(text.replace(/^\ufeff/, ' '))
  if (root === undefined) return text.replace(LOOSE_SECRET, '$1‹$2›')
  const places: { start: number; end: number; name: string }[] = []
  const pending: JsonNode[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'array') pending.push(...node.items.slice(0, 1000))
    if (node.kind !== 'object') continue
    for (const { name, value } of node.members) {
      if (value.kind === 'string' && value.value !== '' && isSecretMember(name))
        places.push({ start: value.start + 1, end: value.end - 1, name })
      else pending.push(value)
    }
  }
  let shown = ''
  let from = 0
  for (const { start, end, name } of places.sort((a, b) => a.start - b.start)) {
    shown += `${text.slice(from, start)}‹${name}›`
    from = end
  }
  return shown + text.slice(from)
}

/** In a text that is no JSON, such as half an object or a form: a name that ends in a secret's, and what follows it. */
const LOOSE_SECRET = /((\w*(?:token|password|secret))(?:["']?\s*[:=]\s*["']?))[^"'&\s]+/gi
