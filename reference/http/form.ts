/** More pairs than this are no honest token request, and each costs memory. */
export const maximumPairs = 1000

const ampersand = 0x26
const equals = 0x3d
const plus = 0x2b
const percent = 0x25
const space = 0x20

/** A decoded `application/x-www-form-urlencoded` body. */
export interface Form {
  /** In the order of the body; a name may occur more than once. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Some pair was not decodable and is left out: a bad `%` escape, invalid UTF-8, or too many pairs. */
  readonly malformed: boolean
}

/**
 * Decodes a form strictly, on its bytes: pairs are split before anything is decoded, `+` is a space, `%XX` a byte,
 * and the bytes of each part must be UTF-8. A guess at a broken password would be a different password.
 */
export function parseForm(body: Uint8Array): Form {
  const pairs: [string, string][] = []
  let malformed = false
  for (let start = 0; start <= body.length; ) {
    const found = body.indexOf(ampersand, start)
    const end = found === -1 ? body.length : found
    if (end > start) {
      const pair = decodePair(body.subarray(start, end))
      if (pair === undefined || pairs.length === maximumPairs) malformed = true
      else pairs.push(pair)
    }
    start = end + 1
  }
  return { pairs, malformed }
}

/** Every value that the form gives under this name; names are case-sensitive. */
export function formValues(form: Form, name: string): readonly string[] {
  return form.pairs.filter(([given]) => given === name).map(([, value]) => value)
}

function decodePair(bytes: Uint8Array): [string, string] | undefined {
  const split = bytes.indexOf(equals)
  const name = decodePart(split === -1 ? bytes : bytes.subarray(0, split))
  const value = split === -1 ? '' : decodePart(bytes.subarray(split + 1))
  return name === undefined || value === undefined ? undefined : [name, value]
}

function decodePart(bytes: Uint8Array): string | undefined {
  if (isPlain(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const decoded = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === percent) {
      const escaped = hexByte(bytes[at + 1], bytes[at + 2])
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
function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80 && byte !== percent && byte !== plus)
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
