import type { PropertyFinding } from './one-finding.js'

/** OWASP ASVS 3.2.2. */
const MIN_BITS = 64
/** What a sample hides: of tokens with 64 bits, or more, not one in 10^9 collections is estimated so much too low. */
const SPARE_BITS = 8
/** Of fewer different tokens too little is seen. */
const MIN_DIFFERENT = 50

/**
 * Judges the tokens of one account in the order in which they were issued. Positions that no one could foresee are counted
 * with their entropy: not those that a date or a counter in front fills, and not those that another position decides.
 * @param trouble why there are no more of them
 */
export function judgeTokens(tokens: readonly string[], trouble?: string): PropertyFinding {
  const different = [...new Set(tokens)]
  if (different.length < MIN_DIFFERENT) {
    const why = trouble ?? 'the account gets the same one again'
    return { outcome: 'cantTell', reason: `only ${different.length} different tokens were seen: ${why}` }
  }
  const isUnsigned = different.every((token) => algorithmOf(token) === 'none')
  if (isUnsigned) return weak(tokens, 'each is a JWT that no one has signed', 'no signature')
  if (comesAgain(tokens)) return weak(tokens, 'one came again after others', 'a token that was issued before')
  const bits = Math.floor(unforeseenBits(different.map(ownPart), MIN_BITS))
  if (bits >= MIN_BITS - SPARE_BITS) return { outcome: 'passed' }
  return weak(tokens, 'too little of them could not be foreseen', `${bits} bits at most`)
}

function weak({ length }: readonly string[], what: string, actual: string): PropertyFinding {
  return {
    outcome: 'failed',
    message: `of ${length} tokens ${what}`,
    expected: `tokens with at least ${MIN_BITS} bits that no one can foresee`,
    actual,
  }
}

/** A token that is kept for a while comes again at once, before there is another. */
function comesAgain(tokens: readonly string[]): boolean {
  const ended = new Set<string>()
  let last = tokens[0]
  for (const token of tokens) {
    if (token === last) continue
    if (last !== undefined) ended.add(last)
    if (ended.has(token)) return true
    last = token
  }
  return false
}

/** Of a JWT the signature: its other parts are no secret. */
function ownPart(token: string): string {
  return algorithmOf(token) === undefined ? token : (token.split('.')[2] ?? '')
}

/** The `alg` of a JWT; undefined where the token is none. */
function algorithmOf(token: string): string | undefined {
  const [head = '', , signature] = token.split('.')
  if (signature === undefined) return undefined
  try {
    const { alg } = Object(JSON.parse(Buffer.from(head, 'base64url').toString()))
    return typeof alg === 'string' ? alg.toLowerCase() : undefined
  } catch {
    return undefined
  }
}

/**
 * At most so many bits of a further token are open to one who has seen these.
 * @param enough where counting ends: there may be thousands of positions
 */
export function unforeseenBits(tokens: readonly string[], enough = Number.POSITIVE_INFINITY): number {
  const parts = withoutCommonStart(tokens)
  const width = Math.max(...parts.map(({ length }) => length))
  const counted: (readonly string[])[] = []
  let bits = 0
  for (let at = orderedPrefix(parts, width); at < width && bits < enough; at++) {
    const column = parts.map((part) => part[at] ?? '')
    if (new Set(column).size < 2 || counted.some((before) => decides(before, column))) continue
    counted.push(column)
    bits += entropy(column)
  }
  return bits
}

function withoutCommonStart(tokens: readonly string[]): readonly string[] {
  const [first = ''] = tokens
  let length = first.length
  for (const token of tokens) while (!token.startsWith(first.slice(0, length))) length--
  return tokens.map((token) => token.slice(length))
}

/** How many of the first characters are a date, or a counter: those that go up, until no two tokens have the same. */
function orderedPrefix(tokens: readonly string[], width: number): number {
  let length = 0
  while (length < width && pairsOf(tokens, length + 1).every(([before, after]) => before <= after)) {
    length++
    if (pairsOf(tokens, length).every(([before, after]) => before < after)) break
  }
  return length
}

/** Of each token and the next one so many characters. */
function pairsOf(tokens: readonly string[], length: number): readonly (readonly [string, string])[] {
  return tokens
    .slice(1)
    .map((token, index) => [(tokens[index] ?? '').slice(0, length), token.slice(0, length)] as const)
}

/** Whether each character of the one comes with one of the other alone. */
function decides(one: readonly string[], other: readonly string[]): boolean {
  const partners = new Map<string, string>()
  for (const [index, character] of one.entries()) {
    const partner = partners.get(character)
    if (partner === undefined) partners.set(character, other[index] ?? '')
    else if (partner !== other[index]) return false
  }
  // Where hardly a character came twice that would say nothing.
  return partners.size <= one.length / 2
}

/** In bits, with what a small sample hides added (Miller and Madow). */
function entropy(column: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const character of column) counts.set(character, (counts.get(character) ?? 0) + 1)
  const { length } = column
  const plain = [...counts.values()].reduce(
    (sum, count) => sum - (count / length) * Math.log2(count / length),
    0,
  )
  return plain + (counts.size - 1) / (2 * length * Math.LN2)
}
