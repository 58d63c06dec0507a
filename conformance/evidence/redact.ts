import { type DecodedForm, decodedForms, secretForms } from './decoded-forms.js'
import { type Match, PatternSearch } from './pattern-search.js'
import { TokenSearch } from './token-search.js'

/** A shorter secret is hidden where it is all of a text, or of a string in quotes: anywhere else it would garble texts. */
export const MIN_IN_TEXT = 4
/** A plain word that is shorter is replaced where it is a word of its own. */
const MIN_ANYWHERE = 8
/** Each may be as long as an answer. */
const MAX_NEW_TOKENS = 100
/** It has one form. */
const PLAIN_TOKEN = /^[\w.~+/=-]*$/
const PLAIN_WORD = /^[A-Za-z0-9]+$/
/** Names and values of headers, URLs, and answers without their tokens: few, and they come with every exchange. */
const MAX_REPEATED_LENGTH = 1000
/** Characters of them all: what was made of a text is many times as long. */
const MAX_REPEATED = 50_000

interface Known {
  readonly value: string
  readonly label: string
  /** Part of names, and not looked for in what is encoded: the nonce of a run. */
  readonly isPublic: boolean
  /** Only where it is a word of its own. */
  readonly isWord: boolean
  /** Only in this letter case. */
  readonly isExact: boolean
}

/** The words that reports are written in. */
export interface Vocabulary {
  /** In any letter case. */
  has(word: string): boolean
  /** Whether it is a part of one of them. */
  hasPart(word: string): boolean
}

const NO_WORDS: Vocabulary = { has: () => false, hasPart: () => false }

/** A text as it may be spelled. */
interface Reading {
  readonly forms: readonly DecodedForm[]
  /** Bytes of the longest of them. */
  readonly longest: number
  /** What has found nothing in it but, perhaps, tokens. */
  cleanOf?: ReturnType<typeof searchOf>
}

/** A part of a text, and what is shown in its place. */
interface RedactedRange {
  readonly from: number
  readonly to: number
  readonly label: string
}

/**
 * The second net, for what a service echoes: keeps secrets out of any text, in the spellings that `decodedForms` undoes.
 * The first is that fields which hold them are never rendered. Takes time in proportion to the text. `docs/secrets.md`
 * says what it does not find.
 */
export class Redactor {
  readonly #known = new Map<string, Known>()
  readonly #tokens = new TokenSearch()
  readonly #repeated = new Map<string, Reading>()
  #repeatedLength = 0
  /** The shortest secret that these were read for. */
  #readFor = Number.POSITIVE_INFINITY
  readonly #newTokens: string[] = []
  readonly #short = new Map<string, string>()
  /** What is not looked for everywhere, with its label. */
  readonly #left = new Map<string, string>()
  readonly #vocabulary: Vocabulary
  #search: ReturnType<typeof searchOf> | undefined

  /** @param vocabulary words that are not searched for: where `‹password›` is in the place of `error`, it would be given away */
  constructor(
    secrets: readonly { readonly value: string; readonly label: string }[],
    vocabulary: Vocabulary = NO_WORDS,
  ) {
    this.#vocabulary = vocabulary
    for (const { value, label } of secrets) {
      if (value.length >= MIN_IN_TEXT) this.learn(value, `‹${label}›`)
      else if (value !== '') this.#learnShort(value, `‹${label}›`)
    }
  }

  /**
   * A secret with its label, such as a declared password, or a near miss of one.
   * @param anywhere also inside a longer word, however short it is: the nonce of a run, which is part of names
   */
  learn(value: string, label: string, anywhere = false): void {
    if (value.length < MIN_IN_TEXT || this.#known.has(value)) return
    if (!anywhere && this.#vocabulary.has(value)) return void this.#left.set(value, label)
    const isWord =
      !anywhere && PLAIN_WORD.test(value) && (value.length < MIN_ANYWHERE || this.#vocabulary.hasPart(value))
    // `Bear` is another word than `bear`, and begins sentences; with a digit it is hardly a word at all.
    const isExact = isWord && !/\d/.test(value)
    this.#known.set(value, { value, label, isPublic: anywhere, isWord, isExact })
    this.#search = undefined
  }

  #learnShort(value: string, label: string): void {
    this.#short.set(value, label)
    this.#left.set(value, label)
    const quoted = `"${value}"`
    const shown = `"${label}"`
    this.#known.set(quoted, { value: quoted, label: shown, isPublic: false, isWord: false, isExact: true })
  }

  /** An issued token. It is made ready to be searched for when a text is shown: in a run that shows little, few are. */
  learnToken(token: string): void {
    if (this.#vocabulary.has(token)) return
    this.#newTokens.push(ownCopy(token))
    if (this.#newTokens.length >= MAX_NEW_TOKENS) this.#learnTokens()
  }

  #learnTokens(): void {
    for (const token of this.#newTokens.splice(0)) {
      if (PLAIN_TOKEN.test(token)) {
        this.#tokens.learn(token)
        continue
      }
      for (const bytes of secretForms(token)) {
        this.#tokens.learn(ownCopy(bytes))
        // In a form.
        if (bytes.includes(' ')) this.#tokens.learn(bytes.replaceAll(' ', '+'))
      }
    }
  }

  text(text: string): string {
    const short = this.#short.get(text)
    if (short !== undefined) return short
    if (text.length < 3) return text
    if (this.#newTokens.length > 0) this.#learnTokens()
    this.#search ??= searchOf([...this.#known.values()])
    const search = this.#search
    const reading = this.#read(text, Math.min(search.shortest, this.#tokens.shortest))
    const isClean = reading.cleanOf === search
    if (isClean && reading.longest < this.#tokens.shortest) return text
    const secrets = isClean ? [] : reading.forms.flatMap((form) => this.#secretsIn(form, text, search))
    if (secrets.length === 0) reading.cleanOf = search
    const parts = [...secrets, ...reading.forms.flatMap((form) => this.#tokensIn(form))]
    if (parts.length === 0) return text
    // The longest first: a near miss may hold the password itself.
    parts.sort((a, b) => a.from - b.from || b.to - a.to)
    let shown = ''
    let done = 0
    for (const { from, to, label } of parts) {
      if (from >= done) shown += text.slice(done, from) + label
      done = Math.max(done, to)
    }
    return shown + text.slice(done)
  }

  /** The same for what a program printed, with every secret that is a word of its own there, however short or usual it is. */
  output(text: string): string {
    // The longest first: one may be part of another.
    const left = [...this.#left].sort(([a], [b]) => b.length - a.length)
    const pattern = left.map(([value]) => `(?<![A-Za-z0-9])${escapeRegExp(value)}(?![A-Za-z0-9])`).join('|')
    const hidden =
      pattern === '' ? text : text.replace(new RegExp(pattern, 'g'), (value) => this.#left.get(value) ?? '')
    return this.text(hidden)
  }

  /** The same for every string inside a value. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T & string
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item)) as T & unknown[]
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, item]) => [name, this.value(item as unknown)])
    return Object.fromEntries(entries) as T
  }

  #read(text: string, shortest: number): Reading {
    if (shortest < this.#readFor) this.#forget()
    this.#readFor = shortest
    const before = this.#repeated.get(text)
    if (before !== undefined) return before
    const forms = decodedForms(text, shortest)
    const reading = { forms, longest: Math.max(...forms.map(({ bytes }) => bytes.length)) }
    if (text.length > MAX_REPEATED_LENGTH) return reading
    if (this.#repeatedLength + text.length > MAX_REPEATED) this.#forget()
    this.#repeatedLength += text.length
    this.#repeated.set(text, reading)
    return reading
  }

  #forget(): void {
    this.#repeated.clear()
    this.#repeatedLength = 0
  }

  #secretsIn(
    form: DecodedForm,
    text: string,
    { patterns, known }: ReturnType<typeof searchOf>,
  ): readonly RedactedRange[] {
    const isMatch = (match: Match): boolean => {
      const one = known[match.pattern]
      if (one?.isWord === true && !isWholeWord(form.bytes, match)) return false
      return one?.isExact !== true || isSameCase(form.bytes.slice(match.from, match.to), one.value)
    }
    return patterns.find(form.bytes, isMatch).map(({ from, to, pattern }): RedactedRange => {
      const place = placeOf(form, from, to)
      // Two near misses may differ by letter case alone.
      const exact = this.#known.get(text.slice(place.from, place.to))
      return { ...place, label: (exact ?? known[pattern])?.label ?? '‹secret›' }
    })
  }

  #tokensIn(form: DecodedForm): readonly RedactedRange[] {
    return this.#tokens
      .find(form.bytes)
      .map(([from, to]) => ({ ...placeOf(form, from, to), label: '‹access token›' }))
  }
}

function placeOf({ starts, ends }: DecodedForm, from: number, to: number): { from: number; to: number } {
  return { from: starts[from] ?? 0, to: ends[to - 1] ?? 0 }
}

function searchOf(secrets: readonly Known[]) {
  const known: Known[] = []
  const patterns: string[] = []
  let shortest = Number.POSITIVE_INFINITY
  for (const secret of secrets) {
    for (const bytes of secretForms(secret.value)) {
      if (bytes.length < 3) continue
      known.push(secret)
      patterns.push(bytes)
      if (!secret.isPublic) shortest = Math.min(shortest, bytes.length)
    }
  }
  return { patterns: new PatternSearch(patterns), known, shortest }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function isWholeWord(bytes: string, { from, to }: Match): boolean {
  const isLetter = (at: number): boolean => PLAIN_WORD.test(bytes.charAt(at))
  return !isLetter(from - 1) && !isLetter(to)
}

/** @param value whose bytes are its characters where it is ASCII; any other has no word of ASCII to be confused with */
function isSameCase(bytes: string, value: string): boolean {
  return bytes === value || /[^\x00-\x7f]/.test(value)
}

/**
 * The same text in memory of its own. A part of a string is a view of the whole to the engine: who keeps a token for long
 * would keep the answer that it was in.
 */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}
