import { encodeUtf8 } from './utf8.js'

/**
 * How a form is spelled. Every choice is legal (WHATWG URL 5.1): which one is made must not matter to the service.
 */
export interface FormSpelling {
  /** A space as `+`, or as `%20`. */
  readonly plusForSpace: boolean
  readonly lowerCaseHex: boolean
  /** Characters that need no escape are escaped all the same where `(index * 7 + salt) % escapeEvery` is 0; 0: nowhere. */
  readonly escapeEvery: number
  readonly salt: number
  /** The order of the pairs: a permutation number. */
  readonly order: number
  /** The names and texts of the form are on the wire as they are written: only what a `$reference` is for is encoded. */
  readonly asWritten?: true
}

export const USUAL_SPELLING: FormSpelling = {
  plusForSpace: true,
  lowerCaseHex: false,
  escapeEvery: 0,
  salt: 0,
  order: 0,
}

/**
 * The spelling that some words name: `percent-20` for a space as `%20`, `lower-hex`, `as-written`.
 * @throws TypeError for another word
 */
export function namedSpelling(words: string): FormSpelling {
  const named = words.split(' ')
  const unknown = named.find((word) => !SPELLING_WORDS.includes(word))
  if (unknown !== undefined) throw new TypeError(`${unknown} is no spelling`)
  return {
    ...USUAL_SPELLING,
    plusForSpace: !named.includes('percent-20'),
    lowerCaseHex: named.includes('lower-hex'),
    ...(named.includes('as-written') ? { asWritten: true } : {}),
  }
}

const SPELLING_WORDS = ['percent-20', 'lower-hex', 'as-written']

const UNRESERVED = /^[A-Za-z0-9*\-._]*$/

const upperCaseHex = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
)
const lowerCaseHex = upperCaseHex.map((spelling) => spelling.toLowerCase())

/** `application/x-www-form-urlencoded` of one name or value. Lone surrogates become U+FFFD, as in every browser. */
export function encodeFormText(text: string, spelling: FormSpelling = USUAL_SPELLING): string {
  if (spelling.escapeEvery === 0 && UNRESERVED.test(text)) return text
  let encoded = ''
  let index = 0
  for (const char of text) {
    const needless = spelling.escapeEvery > 0 && (index * 7 + spelling.salt) % spelling.escapeEvery === 0
    if (char === ' ' && spelling.plusForSpace) encoded += '+'
    else if (UNRESERVED.test(char) && !needless) encoded += char
    else encoded += percentEncode(char, spelling.lowerCaseHex)
    index++
  }
  return encoded
}

export function orderPairs<T>(pairs: readonly T[], order: number): readonly T[] {
  const rest = [...pairs]
  const ordered: T[] = []
  for (let left = order; rest.length > 0; left = Math.floor(left / (rest.length + 1))) {
    ordered.push(...rest.splice(left % rest.length, 1))
  }
  return ordered
}

function percentEncode(char: string, lowerCase: boolean): string {
  const escapes = lowerCase ? lowerCaseHex : upperCaseHex
  const code = char.charCodeAt(0)
  if (code < 0x80) return escapes[code] ?? ''
  let encoded = ''
  for (const byte of encodeUtf8(char)) encoded += escapes[byte] ?? ''
  return encoded
}

/** With its escapes undone, where they all can be. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
