import { ownCopy } from './own-copy.js'
import { secretPattern } from './secret-pattern.js'

const SHORTEST = 8
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/g
const ESCAPED_RUN = /[%A-Za-z0-9._~-]{24,}/g
const MOST_TOKENS = 200_000
const MARKS = 2 ** 16

/**
 * The second net: keeps secrets out of any text, in raw, percent-, form-, base64- and JSON-escaped spelling. The first is
 * that fields which hold them are never rendered. Values under eight characters are left to the first: replacing them
 * everywhere would garble every text.
 */
export class Redactor {
  /** Secret → what is shown in its place. */
  readonly #labels = new Map<string, string>()
  /** Issued tokens in their spellings, how they begin, and how long they are: most services have few lengths. */
  readonly #tokens = new Set<string>()
  readonly #starts = new Set<string>()
  readonly #lengths = new Set<number>()
  /** How tokens begin in base64, and a mark for how they begin: most places of a text are passed over at once. */
  readonly #encodedStarts = new Set<string>()
  readonly #marks = new Uint8Array(MARKS)
  #finder: { readonly pattern: RegExp; readonly labels: readonly string[] } | undefined

  constructor(secrets: readonly { readonly value: string; readonly label: string }[]) {
    for (const { value, label } of secrets) this.learn(value, `‹${label}›`)
  }

  /** A secret with its label, such as a declared password, or a near miss of one. */
  learn(value: string, label: string): void {
    if (value.length < SHORTEST || this.#labels.has(value)) return
    this.#labels.set(value, label)
    this.#finder = undefined
  }

  /** An issued token: there may be very many, so that they are looked up rather than searched for. */
  learnToken(token: string): void {
    if (token.length < SHORTEST || this.#tokens.size > MOST_TOKENS || this.#tokens.has(token)) return
    for (const spelling of spellingsOf(ownCopy(token))) {
      this.#tokens.add(spelling)
      const start = spelling.slice(0, SHORTEST)
      this.#starts.add(start)
      this.#lengths.add(spelling.length)
      this.#marks[markAt(spelling, 0)] = 1
      // Six bytes, whose base64 does not depend on what follows.
      this.#encodedStarts.add(Buffer.from(start, 'utf8').toString('base64').slice(0, SHORTEST))
    }
  }

  text(text: string): string {
    if (text.length < SHORTEST) return text
    this.#finder ??= finderOf(this.#labels)
    const { pattern, labels } = this.#finder
    const known = text.replace(pattern, (_, ...groups: unknown[]) => {
      const found = groups.findIndex((group) => typeof group === 'string')
      return labels[found] ?? '‹secret›'
    })
    return this.#tokens.size === 0 ? known : this.#withoutTokens(known)
  }

  /** The same for every string inside a value. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T & string
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item)) as T & unknown[]
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, item]) => [name, this.value(item as unknown)])
    return Object.fromEntries(entries) as T
  }

  /** Wherever they stand: after `access_token=`, in a path, before a sentence's full stop. */
  #withoutTokens(text: string): string {
    let shown = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      if (this.#marks[markAt(text, at)] === 0) continue
      const length = this.#tokenAt(text, at)
      if (length === 0) continue
      shown += `${text.slice(from, at)}‹access token›`
      from = at + length
      at = from - 1
    }
    const rest = shown + text.slice(from)
    const unescaped = rest.includes('%')
      ? rest.replace(ESCAPED_RUN, (run) => (this.#hidesToken(run) ? '‹access token›' : run))
      : rest
    return unescaped.replace(BASE64_RUN, (run) =>
      this.#encodedStarts.has(encodedStartOf(run)) &&
      this.#tokens.has(Buffer.from(run, 'base64').toString('utf8'))
        ? '‹access token›'
        : run,
    )
  }

  /** Whether a token stands in it once percent-escapes are undone, those too that nobody needs. */
  #hidesToken(run: string): boolean {
    if (!run.includes('%')) return false
    const text = run.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    for (let at = 0; at + SHORTEST <= text.length; at++) if (this.#tokenAt(text, at) > 0) return true
    return false
  }

  /** How long the token is that begins there; 0: none does. */
  #tokenAt(text: string, at: number): number {
    if (!this.#starts.has(text.slice(at, at + SHORTEST))) return 0
    let longest = 0
    for (const length of this.#lengths) {
      if (length > longest && this.#tokens.has(text.slice(at, at + length))) longest = length
    }
    return longest
  }
}

/** A number for the four characters that begin there. */
function markAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)
  return ((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) & (MARKS - 1)
}

const URL_SAFE = /[-_]/

/** In the usual alphabet: the one for URLs means the same. */
function encodedStartOf(run: string): string {
  const start = run.slice(0, SHORTEST)
  return URL_SAFE.test(start) ? start.replaceAll('-', '+').replaceAll('_', '/') : start
}

/** Spelled alike everywhere: most tokens are, and there are very many. */
const PLAIN = /^[A-Za-z0-9._-]+$/

function spellingsOf(token: string): readonly string[] {
  if (PLAIN.test(token)) return [token]
  const percent = encodeURIComponent(token.toWellFormed())
  const json = JSON.stringify(token).slice(1, -1)
  const spellings = [
    token,
    percent,
    percent.replace(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', token]]).toString().slice(1),
    json,
    json.replaceAll('/', '\\/'),
    token.replace(/=+$/, ''),
  ]
  return spellings.filter((spelling) => spelling.length >= SHORTEST)
}

/** The longest first: a near miss may hold the password itself. */
function finderOf(secrets: ReadonlyMap<string, string>): {
  readonly pattern: RegExp
  readonly labels: readonly string[]
} {
  const longestFirst = [...secrets].sort(([a], [b]) => b.length - a.length)
  const groups = longestFirst.map(([value]) => `(${secretPattern(value)})`)
  return {
    pattern: new RegExp(groups.length === 0 ? '(?!)' : groups.join('|'), 'g'),
    labels: longestFirst.map(([, label]) => label),
  }
}
