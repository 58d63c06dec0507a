import type { NamedText } from './exposed-secrets.js'

/** Far more than a token request has. */
const MAX_TAGS = 20_000
const CDATA = '<![CDATA['
const ATTRIBUTE = /([^\s=/"'<>]{1,200})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The texts and attributes of what is XML, or nearly, each with the name of its element or attribute, without a prefix. Takes
 * time in proportion to the text.
 */
export function valuesOfXml(text: string): readonly NamedText[] {
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
