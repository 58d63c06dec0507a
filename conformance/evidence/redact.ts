import { beginOf } from '../target/password-excerpts.js'
import { type DecodedForm, gapForm } from './decoded-form.js'
import { decodedForms, fewestBytes, gapPatterns, secretForms } from './decoded-forms.js'
import { type Match, PatternSearch } from './pattern-search.js'
import { type FoundSecret, TokenSearch } from './token-search.js'

/** A shorter secret is hidden where it is all of a text, or of a string in quotes: anywhere else it would garble texts. */
export const MIN_IN_TEXT = 4
/** A plain word that is shorter is replaced where it is a word of its own. */
const MIN_ANYWHERE = 8
const ISSUED = '‹access token›'
/** Characters that patterns are made of: what is longer, or comes later, is searched for as tokens are. */
const MAX_IN_PATTERNS = 32 * 1024
const MAX_PATTERN = 1024
const PLAIN_WORD = /^[A-Za-z0-9]+$/
interface Known {
  readonly value: string
  readonly label: string
  /** Part of names, and not looked for in what is encoded: the nonce of a run. */
  readonly isPublic: boolean
  readonly patterns: readonly Pattern[]
  readonly gaps: readonly string[]
}

interface Pattern {
  readonly bytes: string
  /** Only where it is a word of its own. */
  readonly isWord: boolean
  /** Only in this letter case. */
  readonly isExact: boolean
}

/** What goes on behind the beginning of a secret: letters, digits and symbols, and no punctuation beyond ASCII. */
const GOES_ON = /(?!\xe2\x80|\xef\xbf\xbd)[\w~+/=!#$%*@^?|\x80-\xc1\xc3-\xfe-]/y

/** The words that reports are written in. */
export interface Vocabulary {
  /** In any letter case. */
  has(word: string): boolean
  /** Whether it is a part of one of them. */
  hasPart(word: string): boolean
  /** Whether it is a word of what reports show of the target: of a user name or a base URL. */
  isShown(word: string): boolean
}

const NO_WORDS: Vocabulary = { has: () => false, hasPart: () => false, isShown: () => false }

/**
 * The second net, for what a service echoes: keeps secrets out of any text, in the spellings that `decodedForms` undoes.
 * The first is that fields which hold them are never rendered. Takes time in proportion to the text. `docs/secrets.md`
 * says what it does not find.
 */
export class Redactor {
  readonly #known = new Map<string, Known>()
  readonly #tokens = new TokenSearch()
  readonly #issued: TokenSearch | undefined
  /** How known secrets begin, with the first one that does so: what follows is what a service left of it, or made of it. */
  readonly #begins = new Map<string, string>()
  #inPatterns = 0
  readonly #short = new Map<string, string>()
  /** What is not looked for everywhere, with its label. */
  readonly #left = new Map<string, string>()
  readonly #vocabulary: Vocabulary
  #search: ReturnType<typeof searchOf> | undefined

  /**
   * @param vocabulary words that are not searched for: where `‹password›` is in the place of `error`, it would be given away
   * @param other its tokens are hidden too, as issued ones
   */
  constructor(
    secrets: readonly { readonly value: string; readonly label: string; readonly isOrdinary?: true }[],
    vocabulary: Vocabulary = NO_WORDS,
    other?: Redactor,
  ) {
    this.#vocabulary = vocabulary
    this.#issued = other === undefined ? undefined : other.#tokens
    for (const { value, label, isOrdinary } of secrets) {
      if (isOrdinary) continue
      if (value.length >= MIN_IN_TEXT) this.learn(value, `‹${label}›`)
      else if (value !== '' && !vocabulary.isShown(value)) this.#learnShort(value, `‹${label}›`)
    }
  }

  /**
   * A secret with its label, such as a declared password, or a near miss of one.
   * @param anywhere also inside a longer word, however short it is: the nonce of a run, which is part of names
   */
  learn(value: string, label: string, anywhere = false): void {
    if (value.length < MIN_IN_TEXT || this.#known.has(value)) return
    if (!anywhere && this.#vocabulary.has(value)) return void this.#left.set(value, label)
    this.#know(value, label, anywhere, (bytes) => {
      const isPlain = !anywhere && PLAIN_WORD.test(bytes)
      // A form of it may be a word, as `ﬁrst` is `first`.
      if (isPlain && bytes !== value && this.#vocabulary.has(bytes)) return []
      const isWord = isPlain && (bytes.length < MIN_ANYWHERE || this.#vocabulary.hasPart(bytes))
      // `Bear` is another word than `bear`, and begins sentences; with a digit it is hardly a word at all.
      return [{ bytes, isWord, isExact: isWord && /^[A-Za-z]+$/.test(value) }]
    })
  }

  #learnShort(value: string, label: string): void {
    this.#short.set(value, label)
    this.#left.set(value, label)
    this.#know(`"${value}"`, `"${label}"`, false, (bytes) => [{ bytes, isWord: false, isExact: true }])
  }

  #know(
    value: string,
    label: string,
    isPublic: boolean,
    patternsOf: (bytes: string) => readonly Pattern[],
  ): void {
    if (value.length > Math.min(MAX_PATTERN, MAX_IN_PATTERNS - this.#inPatterns)) {
      this.#tokens.learn(value, label)
      return
    }
    this.#inPatterns += value.length
    const begin = beginOf(value)
    if (begin !== '' && !this.#begins.has(begin)) this.#begins.set(begin, value)
    const patterns = secretForms(value).flatMap((bytes) => (bytes.length < 3 ? [] : patternsOf(bytes)))
    // What is left of it beside gaps may be a word.
    const gaps = gapPatterns(value).filter(
      (bytes) => !this.#vocabulary.has(bytes.replace(/[^\x21-\x7e]/g, '')),
    )
    this.#known.set(value, { value, label, isPublic, patterns, gaps })
    this.#search = undefined
  }

  /** What a service issued: there may be very many. */
  learnToken(token: string, label = ISSUED): void {
    if (!this.#vocabulary.has(token)) this.#tokens.learn(token, label)
  }

  /** Labels of the tokens that a text has in full, in any spelling: those of one service often begin alike. */
  tokensIn(text: string): readonly string[] {
    const found = decodedForms(text, this.#tokens.shortest).flatMap(({ bytes }) => this.#tokens.find(bytes))
    return found.flatMap(({ label, isWhole }) => (isWhole ? [label] : []))
  }

  text(text: string): string {
    const short = this.#short.get(text)
    if (short !== undefined) return short
    if (text.length < 3) return text
    const shortestToken = Math.min(this.#tokens.shortest, this.#issued?.shortest ?? Number.POSITIVE_INFINITY)
    this.#search ??= searchOf([...this.#known.values()], this.#begins)
    const search = this.#search
    const forms = decodedForms(text, Math.min(search.shortest, shortestToken))
    const parts = [
      ...forms.flatMap((form) => [...this.#secretsIn(form, text, search), ...this.#tokensIn(form)]),
      ...(search.gaps.length === 0 ? [] : forms.flatMap((form) => gapsIn(form, search))),
    ]
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

  #secretsIn(
    form: DecodedForm,
    text: string,
    { search, known }: ReturnType<typeof searchOf>,
  ): readonly FoundSecret[] {
    const isMatch = (match: Match): boolean => {
      const { isWord, isExact, bytes } = known[match.pattern] ?? {}
      if (isWord === true && !isWholeWord(form.bytes, match)) return false
      return isExact !== true || form.bytes.slice(match.from, match.to) === bytes
    }
    const found = search.find(form.bytes, isMatch)
    return withRests(form.bytes, found, (pattern) => known[pattern]?.whole).map(({ from, to, pattern }) => {
      const place = placeOf(form, from, to)
      // Two near misses may differ by letter case alone.
      const exact = this.#known.get(text.slice(place.from, place.to))
      return { ...place, label: (exact ?? known[pattern])?.label ?? '‹secret›' }
    })
  }

  #tokensIn(form: DecodedForm): readonly FoundSecret[] {
    const own = this.#tokens.find(form.bytes)
    const issued = (this.#issued?.find(form.bytes) ?? []).map((found) => ({ ...found, label: ISSUED }))
    return [...own, ...issued].map(({ from, to, label }) => ({ ...placeOf(form, from, to), label }))
  }
}

/** Secrets beyond ASCII, whatever an encoding made of that. */
function gapsIn(text: DecodedForm, { gapSearch, gaps }: ReturnType<typeof searchOf>): readonly FoundSecret[] {
  const form = gapForm(text)
  if (form === undefined) return []
  return gapSearch
    .find(form.bytes, () => true)
    .map(({ from, to, pattern }) => ({
      ...placeOf(form, from, to),
      label: gaps[pattern]?.label ?? '‹secret›',
    }))
}

function placeOf({ starts, ends }: DecodedForm, from: number, to: number): { from: number; to: number } {
  return { from: starts[from] ?? 0, to: ends[to - 1] ?? 0 }
}

/**
 * The same, where a secret only begins, with what follows: as far as it agrees with the secret, or goes on. Takes time in
 * proportion to the bytes: what is covered already is passed over.
 * @param wholeOf the secret that begins with that pattern, if it is a beginning
 */
function withRests(
  bytes: string,
  matches: readonly Match[],
  wholeOf: (pattern: number) => string | undefined,
): readonly Match[] {
  const whereWhole = new Set(
    matches.flatMap(({ from, pattern }) => (wholeOf(pattern) === undefined ? from : [])),
  )
  let done = 0
  return matches.map((match) => {
    const whole = wholeOf(match.pattern)
    if (whole === undefined || whereWhole.has(match.from)) return match
    let to = Math.max(match.to, done)
    const goesOn = (): boolean => {
      GOES_ON.lastIndex = to
      return GOES_ON.test(bytes) || (to < bytes.length && whole[to - match.from] === bytes[to])
    }
    while (goesOn()) to++
    done = to
    return { ...match, to }
  })
}

function searchOf(secrets: readonly Known[], begins: ReadonlyMap<string, string>) {
  const formsOf = new Map(secrets.map(({ value, patterns }) => [value, patterns.map(({ bytes }) => bytes)]))
  const known = secrets.flatMap(({ value, patterns, label }) => {
    const wholes = formsOf.get(begins.get(value) ?? '')
    const wholeOf = (bytes: string): string | undefined =>
      wholes && (wholes.find((form) => form.startsWith(bytes)) ?? bytes)
    return patterns.map((pattern) => ({ ...pattern, label, whole: wholeOf(pattern.bytes) }))
  })
  const gaps = secrets.flatMap((one) => one.gaps.map((bytes) => ({ bytes, label: one.label })))
  const inEncoded = secrets.flatMap(({ patterns, isPublic }) => (isPublic ? [] : patterns))
  return {
    search: new PatternSearch(known.map(({ bytes }) => bytes)),
    known,
    gapSearch: new PatternSearch(gaps.map(({ bytes }) => bytes)),
    gaps,
    shortest: Math.min(...inEncoded.map(({ bytes }) => fewestBytes(bytes))),
  }
}

/** A pattern of the text as it is. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function isWholeWord(bytes: string, { from, to }: Match): boolean {
  const isLetter = (at: number): boolean => PLAIN_WORD.test(bytes.charAt(at))
  return !isLetter(from - 1) && !isLetter(to)
}
