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

/** Whether an object in this JSON, at any depth, gives a member twice: what reads JSON keeps the last one alone. */
export function repeatsMember(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")(?:\s*:)|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined) {
      const members = open.at(-1)
      const spelled: string = JSON.parse(name)
      if (members?.has(spelled)) return true
      members?.add(spelled)
    }
  }
  return false
}
