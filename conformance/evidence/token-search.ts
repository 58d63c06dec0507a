const MIN_LENGTH = 8
/** A token that is shorter is found where it is a word of its own. */
const MIN_WORD = 4
const MAX_WORDS = 10_000
/** What is longer is known by this many of its first bytes. */
const MAX_KNOWN = 4096
const MAX_TOKENS = 200_000
const MAX_LENGTHS = 64
const MARKS = 2 ** 16
const BASE = 0x01000193

/** The tokens that a service has issued: very many, so that they are looked up by their hashes rather than searched for. */
export class TokenSearch {
  readonly #tokens = new Set<string>()
  readonly #hashes = new Set<number>()
  readonly #starts = new Set<string>()
  readonly #lengths = new Map<number, number>()
  /** A mark for how tokens begin: most places of a text are passed over at once. */
  readonly #marks = new Uint8Array(MARKS)
  readonly #words = new Set<string>()
  #areCut = false
  #shortest = Number.POSITIVE_INFINITY

  /** Bytes of the shortest that is looked for. */
  get shortest(): number {
    return this.#shortest
  }

  /** @param written the token as bytes, one character each */
  learn(written: string): void {
    const token = inLowerCase(written)
    if (token.length < MIN_LENGTH) {
      if (token.length < MIN_WORD || this.#words.size === MAX_WORDS) return
      this.#words.add(token)
      this.#shortest = Math.min(this.#shortest, token.length)
      return
    }
    if (this.#tokens.size > MAX_TOKENS) return
    const known = this.#cut(token)
    if (known.length < token.length) this.#areCut = true
    if (known.length < MIN_LENGTH || this.#tokens.has(known)) return
    this.#tokens.add(known)
    this.#shortest = Math.min(this.#shortest, known.length)
    this.#hashes.add(hashOf(known))
    this.#starts.add(known.slice(0, MIN_LENGTH))
    this.#marks[markAt(known, 0)] = 1
    if (!this.#lengths.has(known.length)) this.#lengths.set(known.length, power(known.length))
  }

  /** Where tokens are, in any letter case, apart from one another; of several that begin together the longest. */
  find(written: string): readonly (readonly [from: number, to: number])[] {
    if (written.length < this.#shortest) return []
    const bytes = inLowerCase(written)
    return [...this.#findWords(bytes), ...this.#findAnywhere(bytes)]
  }

  #findWords(bytes: string): readonly [number, number][] {
    if (this.#words.size === 0) return []
    const found: [number, number][] = []
    for (const { 0: run, index } of bytes.matchAll(/[\w~+/=-][\w.~+/=-]*/g)) {
      // Of a sentence.
      const word = run.slice(0, MIN_LENGTH).replace(/\.+$/, '')
      const isWhole = word.length < MIN_LENGTH && run.slice(word.length).replaceAll('.', '') === ''
      if (isWhole && this.#words.has(word)) found.push([index, index + word.length])
    }
    return found
  }

  #findAnywhere(bytes: string): readonly [number, number][] {
    const found: [number, number][] = []
    let hashes: Uint32Array | undefined
    for (let at = 0; at + MIN_LENGTH <= bytes.length; at++) {
      if (this.#marks[markAt(bytes, at)] === 0) continue
      if (!this.#starts.has(bytes.slice(at, at + MIN_LENGTH))) continue
      hashes ??= prefixHashes(bytes)
      let longest = 0
      for (const [length, factor] of this.#lengths) {
        const end = at + length
        if (length <= longest || end > bytes.length) continue
        const hash = ((hashes[end] ?? 0) - Math.imul(hashes[at] ?? 0, factor)) >>> 0
        if (this.#hashes.has(hash) && this.#tokens.has(bytes.slice(at, end))) longest = length
      }
      if (longest === 0) continue
      let to = at + longest
      if (this.#areCut) while (to < bytes.length && isTokenCharacter(bytes.charCodeAt(to))) to++
      found.push([at, to])
      at = to - 1
    }
    return found
  }

  /** To a length that is looked for: there may not be very many of them. */
  #cut(token: string): string {
    if (token.length >= MAX_KNOWN) return token.slice(0, MAX_KNOWN)
    if (this.#lengths.size < MAX_LENGTHS || this.#lengths.has(token.length)) return token
    let longest = MIN_LENGTH
    for (const length of this.#lengths.keys())
      if (length <= token.length && length > longest) longest = length
    if (!this.#lengths.has(longest)) this.#lengths.set(longest, power(longest))
    return token.slice(0, longest)
  }
}

/** Of ASCII alone: the others are bytes. */
function inLowerCase(bytes: string): string {
  if (!/[^\x00-\x7f]/.test(bytes)) return bytes.toLowerCase()
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function prefixHashes(bytes: string): Uint32Array {
  const hashes = new Uint32Array(bytes.length + 1)
  let hash = 0
  for (let at = 0; at < bytes.length; at++) {
    hash = (Math.imul(hash, BASE) + bytes.charCodeAt(at) + 1) >>> 0
    hashes[at + 1] = hash
  }
  return hashes
}

function hashOf(bytes: string): number {
  let hash = 0
  for (let at = 0; at < bytes.length; at++) hash = (Math.imul(hash, BASE) + bytes.charCodeAt(at) + 1) >>> 0
  return hash
}

function power(exponent: number): number {
  let factor = 1
  for (let step = 0; step < exponent; step++) factor = Math.imul(factor, BASE)
  return factor
}

/** A number for the four bytes that begin there. */
function markAt(bytes: string, at: number): number {
  const first = bytes.charCodeAt(at) * 31 + bytes.charCodeAt(at + 1)
  return ((first * 31 + bytes.charCodeAt(at + 2)) * 31 + bytes.charCodeAt(at + 3)) & (MARKS - 1)
}

function isTokenCharacter(code: number): boolean {
  return /[A-Za-z0-9._~+/=-]/.test(String.fromCharCode(code))
}
