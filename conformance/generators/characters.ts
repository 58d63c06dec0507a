import fc from 'fast-check'

/** The characters of ASCII, as section 8 tells them apart. */
export const DIGITS = '0123456789'
export const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz'
export const UPPERCASE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Printable, and neither letter nor digit: the space, and every mark of punctuation, `_` among them. */
export const SYMBOLS = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
export const PRINTABLE = DIGITS + LOWERCASE + UPPERCASE + SYMBOLS

/** What objects of JavaScript and Python have without being given it: found where names are looked up in one. */
export const OBJECT_MEMBERS: readonly string[] = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__class__',
]

/** The text with one character dropped, changed or added, its case flipped, or cut. */
export function mutations(text: string, alphabet: string): fc.Arbitrary<string> {
  const chars = [...text]
  const at = fc.nat(Math.max(chars.length - 1, 0))
  const char = fc.constantFrom(...alphabet)
  return fc.oneof(
    at.map((position) => splice(chars, position, 1, '')),
    fc.tuple(at, char).map(([position, other]) => splice(chars, position, 1, other)),
    fc.tuple(at, char).map(([position, other]) => splice(chars, position, 0, other)),
    at.map((position) => splice(chars, position, 1, flipCase(chars[position] ?? ''))),
    at.map((position) => chars.slice(0, position).join('')),
    char.map((other) => text + other),
  )
}

/** Another character of the same class. */
export function neighbour(char: string): string {
  const own = [DIGITS, LOWERCASE, UPPERCASE, SYMBOLS].find((all) => all.includes(char)) ?? 'x'
  return own.charAt((own.indexOf(char) + 1) % own.length)
}

/** The text of these characters with some replaced by another text. */
export function splice(chars: readonly string[], at: number, remove: number, insert: string): string {
  return [...chars.slice(0, at), insert, ...chars.slice(at + remove)].join('')
}

export function flipCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}
