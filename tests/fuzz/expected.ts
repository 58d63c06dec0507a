import type { Json } from '../../spec/model/json.js'

/** An answer that is asked for. */
export interface Expected {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body's text, or which user it must let in or name. */
  readonly body: string | { readonly tokenOf: string } | { readonly accountOf: string }
}

export function answer(status: number, json: Json, headers: Readonly<Record<string, string>> = {}): Expected {
  return { status, headers, body: JSON.stringify(json) }
}

/** What section 7 leaves open and RFC 6749 5.2 names. */
export function invalidRequest(description: string): Expected {
  return answer(400, { error: 'invalid_request', error_description: description })
}

/** Latin-1 text as the UTF-8 that it spells; `undefined` where it spells none. */
export function utf8Of(bytes: string): string | undefined {
  const buffer = Buffer.from(bytes, 'latin1')
  const text = buffer.toString('utf8')
  return Buffer.from(text, 'utf8').equals(buffer) ? text : undefined
}

/** The members of a JSON object, none of them where there is no object. */
export function membersOf(bytes: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(utf8Of(bytes) ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A string that UTF-8 can carry. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && Buffer.from(value, 'utf8').toString('utf8') === value
}
