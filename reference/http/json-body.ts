import { decodeUtf8 } from './form.js'

/** The JSON in these bytes; `undefined` where there is none. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The JSON object in these bytes, its members not looked at; `undefined` where there is none. */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(bytes)?.value
  return isObject(value) ? value : undefined
}

/** Whether it is a string that UTF-8 can carry: JSON may escape half a character, which no form could ever send. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
