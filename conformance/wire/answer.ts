import type { Exchange, WireResponse } from '../exchange.js'
import { headerValues } from './header.js'
import { instantOf } from './http-date.js'
import { duplicateNames, type JsonMember, type JsonNode, memberOf, readJson } from './json-text.js'

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** A response as the checks ask about it. Everything is read from the raw bytes, once, when first asked. */
export class Answer {
  readonly response: WireResponse
  /** When it was complete, by the local clock: milliseconds since the epoch. */
  readonly receivedAt: number
  #text: string | undefined
  #json: { root?: JsonNode; problems: readonly string[] } | undefined

  constructor(exchange: Exchange & { readonly response: WireResponse }) {
    this.response = exchange.response
    this.receivedAt = exchange.receivedAt
  }

  get status(): number {
    return this.response.status
  }

  /** The body as text; bytes that are no UTF-8 become U+FFFD, and a byte order mark stays. */
  get text(): string {
    this.#text ??= lenientUtf8.decode(this.response.body)
    return this.#text
  }

  /** The body as JSON, read leniently, with all that keeps it from being one strict JSON value. */
  get json(): { readonly root?: JsonNode; readonly problems: readonly string[] } {
    this.#json ??= this.#readJson()
    return this.#json
  }

  member(name: string): JsonMember | undefined {
    return memberOf(this.json.root, name)
  }

  /** The one value of a header, or undefined where there is none or they contradict each other. */
  header(name: string): string | undefined {
    const values = headerValues(this.response.headers, name)
    return values.every((value) => value === values[0]) ? values[0] : undefined
  }

  /**
   * Whatever the status: the body is a JSON object with a non-empty `access_token`, or a `Location` carries one.
   * A text that mentions the word is none.
   */
  get yieldsToken(): boolean {
    const root = this.json.root
    const inBody =
      root?.kind === 'object' && root.members.some((m) => m.name === 'access_token' && isSomething(m.value))
    return inBody || headerValues(this.response.headers, 'location').some(carriesToken)
  }

  /** The response's `Date` (milliseconds since the epoch), or the local clock where there is none to read. */
  get time(): { readonly instant: number; readonly source: 'Date' | 'local clock' } {
    const date = this.header('date')
    const instant = date === undefined ? undefined : instantOf(date)
    return instant === undefined
      ? { instant: this.receivedAt, source: 'local clock' }
      : { instant, source: 'Date' }
  }

  #readJson(): { root?: JsonNode; problems: readonly string[] } {
    const problems: string[] = []
    let text = this.text
    if (text.startsWith('\ufeff')) {
      problems.push('a byte order mark stands before the text')
      text = text.slice(1)
    }
    if (text.includes('\ufffd') && !isUtf8(this.response.body)) problems.push('the body is no valid UTF-8')
    const reading = readJson(text)
    problems.push(...reading.problems)
    if (reading.root === undefined) return { problems }
    const duplicates = [...new Set(duplicateNames(reading.root))]
    if (duplicates.length > 0) {
      problems.push(`more than one member is named ${duplicates.slice(0, 5).map(quote).join(', ')}`)
    }
    return { root: reading.root, problems }
  }
}

function isSomething(node: JsonNode): boolean {
  switch (node.kind) {
    case 'string':
      return node.value !== ''
    case 'object':
      return node.members.length > 0
    case 'array':
      return node.items.length > 0
    case 'number':
      return true
    case 'literal':
      return node.value === true
  }
}

function carriesToken(location: string): boolean {
  // Query or fragment, of an absolute or a relative reference.
  return location
    .split(/[?#]/)
    .slice(1)
    .some((part) => new URLSearchParams(part).getAll('access_token').some((value) => value !== ''))
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

function quote(name: string): string {
  return `\`${name}\``
}
