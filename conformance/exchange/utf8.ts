/** Bits of the first byte of a character, by how many bytes follow it. */
const LEADS = [0, 0xc0, 0xe0, 0xf0] as const

/** Text as bytes; a lone surrogate becomes U+FFFD. Written out because k6 has neither `Buffer` nor `TextEncoder`. */
export function encodeUtf8(text: string): Uint8Array {
  // No code unit takes more than three, and most texts are ASCII.
  const bytes = new Uint8Array(text.length * (/[^\x00-\x7f]/.test(text) ? 3 : 1))
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const found = text.codePointAt(at) ?? 0
    if (found > 0xffff) at++
    const point = found >= 0xd800 && found <= 0xdfff ? 0xfffd : found
    const continuations = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3
    bytes[length++] = LEADS[continuations] | (point >> (6 * continuations))
    for (let rest = continuations - 1; rest >= 0; rest--)
      bytes[length++] = 0x80 | ((point >> (6 * rest)) & 0x3f)
  }
  return length === bytes.length ? bytes : bytes.slice(0, length)
}

/** How many code units are joined at once: an engine takes only so many arguments. */
const CHUNK = 4096

/**
 * Bytes as text, decoded as the WHATWG Encoding Standard does: each part that is no UTF-8 becomes one U+FFFD, and a byte
 * order mark stays. Written out because not every engine of k6, which runs the same code, has a `TextDecoder`.
 */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly isValid: boolean } {
  // Most bodies are ASCII, and where nothing compiles this code, as in k6, the loop below takes a millisecond.
  return bytes.every((byte) => byte < 0x80) ? { text: join(bytes), isValid: true } : decodeSequences(bytes)
}

function join(units: Uint8Array | Uint16Array): string {
  let text = ''
  for (let from = 0; from < units.length; from += CHUNK)
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(from, from + CHUNK))
  return text
}

function decodeSequences(bytes: Uint8Array): { readonly text: string; readonly isValid: boolean } {
  const units = new Uint16Array(bytes.length)
  let length = 0
  let isValid = true
  let point = 0
  let needed = 0
  // The range of the next continuation byte: it rules out overlong forms, surrogates, and what is beyond U+10FFFF.
  let lower = 0x80
  let upper = 0xbf
  const reject = (): void => {
    units[length++] = 0xfffd
    isValid = false
    needed = 0
  }
  for (const byte of bytes) {
    if (needed > 0 && byte >= lower && byte <= upper) {
      point = (point << 6) | (byte & 0x3f)
      lower = 0x80
      upper = 0xbf
      needed--
      if (needed > 0) continue
      if (point > 0xffff) {
        units[length++] = 0xd7c0 + (point >> 10)
        units[length++] = 0xdc00 + (point & 0x3ff)
      } else units[length++] = point
      continue
    }
    // A sequence that breaks off; this byte may begin another one.
    if (needed > 0) reject()
    if (byte < 0x80) units[length++] = byte
    else if (byte < 0xc2 || byte > 0xf4) reject()
    else {
      needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
      point = byte & (0x3f >> needed)
      lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
      upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    }
  }
  if (needed > 0) reject()
  return { text: join(units.subarray(0, length)), isValid }
}
