import { readJson } from '../../../spec/load/read-json.js'
import type { JsonNode } from '../../../spec/model/json.js'
import type { Exchange } from '../../exchange/exchange.js'
import { headerValues, parseMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import { type NamedText, valuesIn } from './exposed-secrets.js'
import { valuesOfXml } from './xml-values.js'

/** Of a request's body: a token request has a few. */
const MAX_VALUES = 1000

/** The values of a body that is a form, in parts or not, JSON or XML, each with the name that it has there. */
export function sentValues(exchange: Pick<Exchange, 'request'>): readonly NamedText[] {
  const { contentType = '', body } = requestOf(exchange)
  const { essence = '', parameters = [] } = parseMediaType(contentType) ?? {}
  if (essence === 'multipart/form-data') {
    const boundary = parameters.find(([name]) => name === 'boundary')?.[1] ?? ''
    return valuesOfParts(decodeUtf8(body).text.split(`--${boundary}`, MAX_VALUES))
  }
  const { text } = decodeUtf8(body)
  if (/^\ufeff?\s*</.test(text)) return valuesOfXml(text)
  // Whatever a client says of its body.
  const { root } = /^\s*[[{]/.test(text) ? readJson(text, MAX_VALUES) : {}
  return root === undefined ? parseForm(body).pairs : valuesOfJson(root)
}

/** Passwords that a token request authenticates its client with. */
export function basicPasswords(exchange: Exchange): readonly string[] {
  const values = headerValues(requestOf(exchange).headers, 'authorization')
  return values.filter((value) => /^basic /i.test(value)).flatMap((value) => valuesIn('Authorization', value))
}

function valuesOfParts(parts: readonly string[]): readonly NamedText[] {
  return parts.flatMap((part): readonly NamedText[] => {
    const [empty] = /\r?\n\r?\n/.exec(part) ?? []
    if (empty === undefined) return []
    const begin = part.indexOf(empty)
    const [, name = ''] = /\bname="?([^";\r\n]*)/i.exec(part.slice(0, begin)) ?? []
    return [[name, part.slice(begin + empty.length).replace(/\r?\n$/, '')]]
  })
}

function valuesOfJson(root: JsonNode): readonly NamedText[] {
  const values: NamedText[] = []
  // A loop, not recursion: a hostile client may nest deeply.
  const pending: { readonly name: string; readonly node: JsonNode }[] = [{ name: '', node: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, node } = next
    if (node.kind === 'string') values.push([name, node.value])
    else if (node.kind === 'array') for (const item of node.items) pending.push({ name, node: item })
    else if (node.kind === 'object')
      for (const member of node.members) pending.push({ name: member.name, node: member.value })
  }
  return values
}
