import fc from 'fast-check'

/** The text with one character dropped, changed or added, its case flipped, cut, or repeated. */
export function mutations(text: string, alphabet: string): fc.Arbitrary<string> {
  const chars = [...text]
  const at = fc.nat(Math.max(chars.length - 1, 0))
  const char = fc.constantFrom(...alphabet)
  const edit = (position: number, remove: number, insert: string): string =>
    [...chars.slice(0, position), insert, ...chars.slice(position + remove)].join('')
  return fc.oneof(
    at.map((position) => edit(position, 1, '')),
    fc.tuple(at, char).map(([position, other]) => edit(position, 1, other)),
    fc.tuple(at, char).map(([position, other]) => edit(position, 0, other)),
    at.map((position) => edit(position, 1, flipCase(chars[position] ?? ''))),
    at.map((position) => chars.slice(0, position).join('')),
    char.map((other) => text + other),
  )
}

export function flipCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}
