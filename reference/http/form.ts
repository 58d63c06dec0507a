/** More pairs than this are no honest token request, and each costs memory. */
export const maximumPairs = 1000

const ampersand = 0x26
const equals = 0x3d
const plus = 0x2b
const percent = 0x25
const space = 0x20

/** A decoded `application/x-www-form-urlencoded` body. */
export interface FormBody {
  /** In the order of the body; a name may occur more than once. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Some pair was not decodable and is left out: a bad `%` escape, invalid UTF-8, or too many pairs. */
  readonly malformed: boolean
}

/**
 * Decodes a form strictly, on its bytes: pairs are split before anything is decoded, `+` is a space, `%XX` a byte,
 * and the bytes of each part must be UTF-8. A guess at a broken password would be a different password.
 */
export function parseForm(body: Uint8Array): FormBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const pairs: [string, string][] = []
  let malformed = false
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(ampersand, start)
    const end = found === -1 ? bytes.length : found
    if (end > start) {
      const pair = decodePair(bytes.subarray(start, end))
      if (pair === undefined || pairs.length === maximumPairs) malformed = true
      else pairs.push(pair)
    }
    start = end + 1
  }
  return { pairs, malformed }
}

/** Every value that the form gives under this name; names are case-sensitive. */
export function formValues(form: FormBody, name: string): readonly string[] {
  return form.pairs.filter(([given]) => given === name).map(([, value]) => value)
}

function decodePair(pair: Buffer): [string, string] | undefined {
  const found = pair.indexOf(equals)
  const split = found === -1 ? pair.length : found
  const name = decodePart(pair, 0, split)
  const value = decodePart(pair, split + 1, pair.length)
  return name === undefined || value === undefined ? undefined : [name, value]
}

function decodePart(pair: Buffer, start: number, end: number): string | undefined {
  if (isPlain(pair, start, end)) return pair.toString('latin1', start, end)
  const decoded = new Uint8Array(end - start)
  let length = 0
  for (let at = start; at < end; at++) {
    const byte = pair[at] ?? 0
    if (byte === percent) {
      const escaped = at + 2 < end ? hexByte(pair[at + 1], pair[at + 2]) : undefined
      if (escaped === undefined) return undefined
      decoded[length++] = escaped
      at += 2
    } else {
      decoded[length++] = byte === plus ? space : byte
    }
  }
  return decodeUtf8(decoded.subarray(0, length))
}

/** ASCII that stands for itself, as most parts do. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x80 || byte === percent || byte === plus) return false
  }
  return true
}

function hexByte(high: number | undefined, low: number | undefined): number | undefined {
  if (high === undefined || low === undefined) return undefined
  const digits = String.fromCharCode(high, low)
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 text with its byte order mark kept; `undefined` when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}
