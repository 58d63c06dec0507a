import { readJson } from '../../../spec/load/read-json.js'
import type { JsonNode } from '../../../spec/model/json.js'
import { isCredentialName } from '../../evidence/hidden-fields.js'
import type { Exchange } from '../../exchange/exchange.js'
import { valuesIn } from '../../exchange/header-credentials.js'
import { headerValues, parseMediaType } from '../../exchange/headers.js'
import { requestOf } from '../../exchange/http-request.js'
import { isParameterName, parseForm } from '../../exchange/parse-form.js'
import { decodeUtf8 } from '../../exchange/utf8.js'
import type { NamedText } from './exposed-secrets.js'

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
  // Whatever a client says of its body.
  return valuesOfMarkup(decodeUtf8(body).text) ?? parseForm(body).pairs.flatMap((pair) => opened(pair))
}

/** The values of a body, a query or a path (`;jsessionid=…`) whose names say that they are secrets. */
export function sentCredentials(exchange: Exchange): readonly NamedText[] {
  const { path, query } = requestOf(exchange)
  const inUrl = parseForm(Buffer.from(`${query}&${path.replace(/[;/]/g, '&')}`, 'latin1')).pairs
  const values = [...sentValues(exchange), ...inUrl.flatMap((pair) => opened(pair))]
  return values.filter(([name]) => isCredentialName(name))
}

/** How often a form is encoded, and more. */
const MAX_DEPTH = 3

/**
 * A parameter, and what its value holds: JSON, XML, or the credentials of another form. What is escaped as a whole is a name
 * to a form.
 */
function opened(pair: NamedText, depth = MAX_DEPTH): readonly NamedText[] {
  const [name, value] = pair
  if (depth === 0) return [pair]
  const texts = isParameterName(name) ? [value] : [name, value]
  return [pair, ...texts.flatMap((text) => valuesOfMarkup(text) ?? credentialsOfForm(text, depth - 1))]
}

function credentialsOfForm(text: string, depth: number): readonly NamedText[] {
  if (!text.includes('=')) return []
  const { pairs } = parseForm(Buffer.from(text))
  return pairs.flatMap((pair) => opened(pair, depth)).filter(([name]) => isCredentialName(name))
}

/** Those of XML or JSON; undefined where it is neither. */
function valuesOfMarkup(text: string): readonly NamedText[] | undefined {
  if (/^\ufeff?\s*</.test(text)) return valuesOfXml(text)
  const { root } = /^\s*[[{]/.test(text) ? readJson(text, MAX_VALUES) : {}
  return root && valuesOfJson(root)
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

/** Far more than a token request has. */
const MAX_TAGS = 20_000
const CDATA = '<![CDATA['
const ATTRIBUTE = /([^\s=/"'<>]{1,200})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The texts and attributes of what is XML, or nearly, each with the name of its element or attribute, without a prefix. Takes
 * time in proportion to the text.
 */
function valuesOfXml(text: string): readonly NamedText[] {
  const values: NamedText[] = []
  let name = ''
  for (const piece of withoutCdata(text).split('<', MAX_TAGS).slice(1)) {
    const end = piece.indexOf('>')
    const tag = end < 0 ? piece : piece.slice(0, end)
    const content = end < 0 ? '' : piece.slice(end + 1)
    // A comment is no element: what follows it is still the text of the one around it.
    if (!/^[!?]/.test(tag)) {
      name = /^[^\s/]*/.exec(tag)?.[0] ?? ''
      for (const [, attribute = '', double, single] of tag.matchAll(ATTRIBUTE))
        values.push([localName(attribute), decoded(double ?? single ?? '')])
    }
    if (name !== '' && content.trim() !== '') values.push([localName(name), decoded(content.trim())])
  }
  return values
}

/** The same text with what CDATA sections hold in the other spelling. */
function withoutCdata(text: string): string {
  let shown = ''
  let from = 0
  for (let at = text.indexOf(CDATA); at >= 0; at = text.indexOf(CDATA, from)) {
    const end = text.indexOf(']]>', at)
    const content = text.slice(at + CDATA.length, end < 0 ? undefined : end)
    shown += text.slice(from, at) + content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    if (end < 0) return shown
    from = end + 3
  }
  return shown + text.slice(from)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (all, hex, decimal, named) => {
      if (named !== undefined) return ENTITIES[named.toLowerCase()] ?? all
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : all
    },
  )
}
