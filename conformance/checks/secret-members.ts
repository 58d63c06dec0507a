import { type JsonNode, readJson } from '../wire/json-text.js'

/** Members whose values are credentials, and never shown. */
export function isSecretMember(name: string): boolean {
  return /token$|password|secret/i.test(name)
}

/**
 * A body's text with the values of its secret members replaced, and every other character as it came. What is cut must
 * come from here: half a token is found by no later look.
 */
export function withoutSecretMembers(text: string): string {
  const { root } = readJson(text.replace(/^\ufeff/, ' '))
  if (root === undefined) return text.replace(LOOSE_SECRET, hideValue)
  const places: { start: number; end: number; name: string }[] = []
  // Below a secret member every value is one: `"access_token": ["…"]` is wrong, and a token all the same.
  const pending: { readonly node: JsonNode; readonly secret?: string }[] = [{ node: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, secret } = next
    if (node.kind === 'array') {
      for (const item of node.items.slice(0, 1000)) pending.push({ node: item, ...(secret && { secret }) })
    } else if (node.kind === 'object') {
      for (const { name, value } of node.members) {
        const own = secret ?? (isSecretMember(name) ? name : undefined)
        pending.push({ node: value, ...(own && { secret: own }) })
      }
    } else if (secret !== undefined && node.kind === 'string' && node.value !== '') {
      places.push({ start: node.start + 1, end: node.end - 1, name: secret })
    } else if (secret !== undefined && node.kind === 'number') {
      places.push({ start: node.start, end: node.end, name: secret })
    }
  }
  let shown = ''
  let from = 0
  for (const { start, end, name } of places.sort((a, b) => a.start - b.start)) {
    shown += `${text.slice(from, start)}‹${name}›`
    from = end
  }
  return (shown + text.slice(from)).replace(NESTED_SECRET, '$1‹$2›')
}

const hideValue = (_: string, before: string, name: string, value: string): string => {
  const quote = /^["']/.exec(value)?.[0] ?? ''
  const end = quote !== '' && value.length > 1 && value.endsWith(quote) ? quote : ''
  return `${before}${quote}‹${name}›${end}`
}

/*
 * Both take time in proportion to the text, also a hostile one: a name's beginning is a closed list, and runs of
 * backslashes are bounded.
 */

/** In a text that is no JSON, such as half an object or a form: a name that ends in a secret's, and what follows it. */
const LOOSE_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))["']?\s*[:=]\s*)("(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?|[^"'&\s]+)/gi

/** In a string that holds JSON of its own. */
const NESTED_SECRET =
  /(((?:access_?|refresh_?|id_?)?(?:token|password|secret))\\{1,9}"\s*:\s*\\{1,9}").*?(?=\\{1,9}")/gi
