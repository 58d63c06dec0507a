import { fewestBytes, secretForms } from './decoded-forms.js'
import { ownCopy } from './own-copy.js'

/** Bytes that are looked up at once. */
const BLOCK = 8
/** A secret of fewer bytes than a block is found where it is a word of its own. */
const MIN_WORD = 4
const MAX_WORDS = 10_000
/** A text is hidden as far as it agrees with a secret, if in so many bytes: half a token is a secret too. */
const TELLING = 16
/** Of what is longer, the rest is hidden unseen: as long as it may be one. */
const MAX_LENGTH = 4096
/** Each may be as long. */
const MAX_NEW = 100
/** Of a tree: when another one is full, the oldest secrets are forgotten. */
const MAX_STEPS = 250_000
const MARKS = 2 ** 16
/** It has one form. */
const PLAIN = /^(?:[\w.+/=-]|~(?![01]))*$/
const TOKEN_CHARACTER = /[\w.~+/=-]/
const ANYTHING = /./s

/** A part of a text, and what is shown in its place. */
export interface FoundSecret {
  readonly from: number
  readonly to: number
  readonly label: string
}

interface NewSecret {
  /** Its beginning. */
  readonly secret: string
  readonly label: string
  readonly isPlain: boolean
  readonly isCut: boolean
}

interface FoundToken extends FoundSecret {
  /** All of a secret, and not only as one begins. */
  readonly isWhole: boolean
}

/**
 * Very many secrets, such as the tokens that a service has issued. They make a tree, whose steps are blocks. From each
 * place of a text at most three steps lead nowhere: what agrees for longer is hidden, and the search goes on behind it.
 * So it takes time in proportion to the text, whatever text and secrets are.
 */
export class TokenSearch {
  /** Not yet ready to be searched for. */
  readonly #new: NewSecret[] = []
  readonly #trees: TokenTree[] = [new TokenTree()]
  /** A mark for how secrets begin: most places of a text are passed over at once. */
  readonly #marks = new Uint8Array(MARKS)
  readonly #words = new Map<string, string>()
  #shortest = Number.POSITIVE_INFINITY

  /** Bytes of the shortest that is looked for. */
  get shortest(): number {
    this.#learnNew()
    return this.#shortest
  }

  /** The secret is made ready to be searched for when a text is shown: in a run that shows little, few are. */
  learn(secret: string, label: string): void {
    const known = ownCopy(secret.slice(0, MAX_LENGTH))
    this.#new.push({ secret: known, label, isPlain: PLAIN.test(secret), isCut: secret.length > MAX_LENGTH })
    if (this.#new.length >= MAX_NEW) this.#learnNew()
  }

  #learnNew(): void {
    for (const { secret, label, isPlain, isCut } of this.#new.splice(0)) {
      const rest = isCut ? (isPlain ? TOKEN_CHARACTER : ANYTHING) : undefined
      for (const bytes of isPlain ? [secret] : secretForms(secret)) {
        this.#add(ownCopy(bytes), label, rest)
        // In a form.
        if (bytes.includes(' ')) this.#add(bytes.replaceAll(' ', '+'), label, rest)
      }
    }
  }

  #add(written: string, label: string, rest: RegExp | undefined): void {
    const secret = inLowerCase(written)
    if (secret.length < MIN_WORD) return
    if (secret.length >= BLOCK) {
      this.#treeToFill().learn(secret, label, rest)
      this.#marks[markAt(secret, 0)] = 1
    } else if (this.#words.size < MAX_WORDS) this.#words.set(secret, label)
    this.#shortest = Math.min(this.#shortest, fewestBytes(secret), TELLING)
  }

  #treeToFill(): TokenTree {
    const [newest] = this.#trees
    if (newest !== undefined && newest.size < MAX_STEPS) return newest
    const tree = new TokenTree()
    this.#trees.splice(0, this.#trees.length, tree, ...this.#trees.slice(0, 1))
    return tree
  }

  /** Where secrets are, in any letter case, apart from one another; of several that begin together the longest. */
  find(written: string): readonly FoundToken[] {
    if (written.length < this.shortest) return []
    const bytes = inLowerCase(written)
    return [...this.#findWords(bytes), ...this.#findAnywhere(bytes)]
  }

  #findWords(bytes: string): readonly FoundToken[] {
    if (this.#words.size === 0) return []
    const found: FoundToken[] = []
    for (const { 0: run, index } of bytes.matchAll(/[\w~+/=-][\w.~+/=-]*/g)) {
      // Of a sentence.
      const word = run.slice(0, BLOCK).replace(/(?<!\.)\.+$/, '')
      const isWhole = word.length < BLOCK && run.slice(word.length).replaceAll('.', '') === ''
      const label = isWhole ? this.#words.get(word) : undefined
      if (label !== undefined) found.push({ from: index, to: index + word.length, label, isWhole: true })
    }
    return found
  }

  #findAnywhere(bytes: string): readonly FoundToken[] {
    const found: FoundToken[] = []
    for (let at = 0; at + BLOCK <= bytes.length; at++) {
      if (this.#marks[markAt(bytes, at)] === 0) continue
      const [one, other] = this.#trees.map((tree) => tree.find(bytes, at))
      const longest = (one?.to ?? 0) < (other?.to ?? 0) ? other : one
      if (longest === undefined) continue
      found.push(longest)
      at = longest.to - 1
    }
    return found
  }
}

class TokenTree {
  /** Of a node, and the block or the rest of a secret that follows it: the next node. */
  readonly #next = new Map<string, number>()
  readonly #labels = ['']
  /** By node, a bit for each length of a rest that follows it. */
  readonly #rests = [0]
  /** Nodes where a secret was cut, with what may follow. */
  readonly #cuts = new Map<number, RegExp>()

  get size(): number {
    return this.#next.size
  }

  /** @param rest the secret goes on, with such characters */
  learn(secret: string, label: string, rest: RegExp | undefined): void {
    let node = 0
    let at = 0
    for (; at + BLOCK <= secret.length; at += BLOCK)
      node = this.#enter(stepOf(node, secret, at, at + BLOCK), label)
    this.#rests[node] = (this.#rests[node] ?? 0) | (1 << (secret.length - at))
    const end = this.#enter(stepOf(node, secret, at, secret.length), label)
    if (rest !== undefined) this.#cuts.set(end, rest)
  }

  #enter(step: string, label: string): number {
    const known = this.#next.get(step)
    if (known !== undefined) return known
    this.#next.set(step, this.#labels.length)
    this.#rests.push(0)
    return this.#labels.push(label) - 1
  }

  /** The longest secret that begins there, or what agrees with one. */
  find(bytes: string, from: number): FoundToken | undefined {
    let node = 0
    let at = from
    let end = from
    let last = 0
    for (let next: number | undefined = 0; next !== undefined; ) {
      node = next
      const rest = this.#restAt(bytes, at, node)
      if (rest !== undefined) [end, last] = rest
      next = at + BLOCK > bytes.length ? undefined : this.#next.get(stepOf(node, bytes, at, at + BLOCK))
      if (next !== undefined) at += BLOCK
    }
    const isWhole = at <= end || at - from < TELLING
    if (!isWhole) {
      end = at
      last = node
    }
    const goesOn = isWhole ? this.#cuts.get(last) : TOKEN_CHARACTER
    while (goesOn !== undefined && end < bytes.length && goesOn.test(bytes.charAt(end))) end++
    return end === from ? undefined : { from, to: end, label: this.#labels[last] ?? '', isWhole }
  }

  #restAt(bytes: string, at: number, node: number): readonly [end: number, node: number] | undefined {
    const lengths = this.#rests[node] ?? 0
    for (let length = BLOCK - 1; length >= 0 && lengths > 0; length--) {
      const end = at + length
      if (((lengths >> length) & 1) === 0 || end > bytes.length) continue
      const next = this.#next.get(stepOf(node, bytes, at, end))
      if (next !== undefined) return [end, next]
    }
    return undefined
  }
}

/** The key of a step: a rest is shorter than a block, so that the two differ. */
function stepOf(node: number, bytes: string, from: number, to: number): string {
  return `${node} ${bytes.slice(from, to)}`
}

/** Of ASCII alone: the others are bytes. */
function inLowerCase(bytes: string): string {
  if (!/[^\x00-\x7f]/.test(bytes)) return bytes.toLowerCase()
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** A number for the four bytes that begin there. */
function markAt(bytes: string, at: number): number {
  const first = bytes.charCodeAt(at) * 31 + bytes.charCodeAt(at + 1)
  return ((first * 31 + bytes.charCodeAt(at + 2)) * 31 + bytes.charCodeAt(at + 3)) & (MARKS - 1)
}
