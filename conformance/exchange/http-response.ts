import { type JsonReading, readJson } from '../../spec/load/read-json.js'
import { duplicateMembers, type JsonMember, type JsonNode, memberOf } from '../../spec/model/json.js'
import type { Exchange, WireResponse } from './exchange.js'
import { headerValues, instantOf } from './headers.js'
import { decodeUtf8 } from './utf8.js'

/** Of a body: a token response has ten, and a tree of a million is a hundred megabytes. */
const MAX_JSON_VALUES = 50_000
/** The text and the tree of a larger body are kept for a few responses alone: a run remembers very many, and trees are big. */
const KEPT_BYTES = 4 * 1024
const KEPT_LARGE = 4

/** A response as the checks ask about it. Everything is read from the raw bytes, when first asked. */
export class HttpResponse {
  readonly raw: WireResponse
  /** When it was complete, by the local clock: milliseconds since the epoch. */
  readonly receivedAt: number
  /** The local clock was set before. */
  readonly isClockSet: boolean
  #decoded: ReturnType<typeof decodeUtf8> | undefined
  #yieldsToken: boolean | undefined
  #json: JsonReading | undefined
  static readonly #large: HttpResponse[] = []

  constructor(exchange: Exchange & { readonly response: WireResponse }) {
    this.raw = exchange.response
    this.receivedAt = exchange.receivedAt
    this.isClockSet = exchange.isClockSet === true
  }

  get status(): number {
    return this.raw.status
  }

  /** The body as text; bytes that are no UTF-8 become U+FFFD, and a byte order mark stays. */
  get text(): string {
    return this.#decode().text
  }

  /** The body as JSON, read leniently, with all that keeps it from being one strict JSON value. */
  get json(): JsonReading {
    this.#keepFew()
    this.#json ??= this.#readJson()
    return this.#json
  }

  member(name: string): JsonMember | undefined {
    return memberOf(this.json.root, name)
  }

  /** The one value of a header, or undefined where there is none or they contradict each other. */
  header(name: string): string | undefined {
    const values = headerValues(this.raw.headers, name)
    return values.every((value) => value === values[0]) ? values[0] : undefined
  }

  /**
   * Whatever the status: the body is a JSON object with a non-empty `access_token`, or a `Location` carries one.
   * A text that mentions the word is none.
   */
  get yieldsToken(): boolean {
    this.#yieldsToken ??= this.#findToken()
    return this.#yieldsToken
  }

  /** The response's `Date` (milliseconds since the epoch), or the local clock where there is none to read. */
  get time(): { readonly instant: number; readonly source: 'Date' | 'local clock' } {
    const date = this.header('date')
    const instant = date === undefined ? undefined : instantOf(date)
    return instant === undefined
      ? { instant: this.receivedAt, source: 'local clock' }
      : { instant, source: 'Date' }
  }

  #findToken(): boolean {
    const root = this.json.root
    const inBody =
      root?.kind === 'object' && root.members.some((m) => m.name === 'access_token' && isSomething(m.value))
    return inBody || headerValues(this.raw.headers, 'location').some(carriesToken)
  }

  #decode(): ReturnType<typeof decodeUtf8> {
    this.#keepFew()
    this.#decoded ??= decodeUtf8(this.raw.body)
    return this.#decoded
  }

  #keepFew(): void {
    const large = HttpResponse.#large
    if (this.raw.body.length <= KEPT_BYTES || large.includes(this)) return
    large.push(this)
    const [oldest] = large
    if (large.length <= KEPT_LARGE || oldest === undefined) return
    large.shift()
    oldest.#decoded = undefined
    oldest.#json = undefined
  }

  #readJson(): JsonReading {
    const problems: string[] = []
    let text = this.text
    if (text.startsWith('\ufeff')) {
      problems.push('a byte order mark comes before the text')
      text = text.slice(1)
    }
    if (!this.#decode().isValid) problems.push('the body is no valid UTF-8')
    const reading = readJson(text, MAX_JSON_VALUES)
    problems.push(...reading.problems)
    if (reading.root === undefined) return { ...reading, problems }
    const duplicates = [...new Set(duplicateMembers(reading.root).map(({ name }) => name))]
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
  // Query or fragment, of an absolute or a relative reference. Without URLSearchParams: see `utf8.ts`.
  return location
    .split(/[?#]/)
    .slice(1)
    .flatMap((part) => part.split('&'))
    .some((pair) => {
      const [, name, value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(pair) ?? []
      return name !== undefined && unescapeAscii(name) === 'access_token' && value !== ''
    })
}

function unescapeAscii(name: string): string {
  return name.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function quote(name: string): string {
  return `\`${name}\``
}

/** The response of an exchange, or why there is none to judge. */
export type ResponseOrReason =
  | HttpResponse
  | {
      readonly reason: string
      /** The connection was closed before the first byte of an answer. */
      readonly closed?: boolean
      readonly yieldsToken?: never
    }

/** The text of a member; undefined where it is none, or no answer came. */
export function textIn(response: ResponseOrReason | undefined, name: string): string | undefined {
  const value = response instanceof HttpResponse ? response.member(name)?.value : undefined
  return value?.kind === 'string' ? value.value : undefined
}

export function responseOf(exchange: Exchange): ResponseOrReason {
  const { response, failure } = exchange
  if (failure !== undefined) return { reason: failure.message, closed: failure.kind === 'reset' }
  if (response === undefined) return { reason: 'no answer came' }
  if (response.truncated) return { reason: 'the body is longer than 1 MiB' }
  const read = new HttpResponse({ ...exchange, response })
  const { isTooLarge, problems } = read.json
  return isTooLarge ? { reason: problems.at(-1) ?? '' } : read
}
