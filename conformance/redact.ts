import { secretPattern } from './secret-pattern.js'

const SHORTEST = 8
const TOKEN = /^[A-Za-z0-9\-._~+/=]+$/
/** What a token, or one of its spellings, may stand in. */
const TOKEN_RUN = /[A-Za-z0-9\-._~+/=%\\]{8,}/g
const MOST_TOKENS = 200_000

/**
 * The second net: keeps secrets out of any text, in raw, percent-, form-, base64- and JSON-escaped spelling. The first is
 * that fields which hold them are never rendered. Values under eight characters are left to the first: replacing them
 * everywhere would garble every text.
 */
export class Redactor {
  /** Secret → what is shown in its place. */
  readonly #labels = new Map<string, string>()
  /** Issued tokens in their spellings, and by their first characters how long they are. */
  readonly #tokens = new Set<string>()
  readonly #lengths = new Map<string, Set<number>>()
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
    if (token.length < SHORTEST || this.#tokens.size > MOST_TOKENS) return
    if (TOKEN.test(token)) this.#learnSpellings(token)
    else this.learn(token, '‹access token›')
  }

  text(text: string): string {
    if (text.length < SHORTEST) return text
    this.#finder ??= finderOf(this.#labels)
    const { pattern, labels } = this.#finder
    const known = text.replace(pattern, (_, ...groups: unknown[]) => {
      const found = groups.findIndex((group) => typeof group === 'string')
      return labels[found] ?? '‹secret›'
    })
    return this.#tokens.size === 0 ? known : known.replace(TOKEN_RUN, (run) => this.#withoutTokens(run))
  }

  /** The same for every string inside a value. */
  value<T>(value: T): T {
    if (typeof value === 'string') return this.text(value) as T & string
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item)) as T & unknown[]
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, item]) => [name, this.value(item as unknown)])
    return Object.fromEntries(entries) as T
  }

  #learnSpellings(token: string): void {
    const percent = encodeURIComponent(token)
    const lower = percent.replace(/%../g, (code) => code.toLowerCase())
    for (const spelling of [token, percent, lower, token.replaceAll('/', '\\/'), token.replace(/=+$/, '')]) {
      if (spelling.length < SHORTEST || this.#tokens.has(spelling)) continue
      this.#tokens.add(spelling)
      const start = spelling.slice(0, SHORTEST)
      const lengths = this.#lengths.get(start) ?? new Set()
      this.#lengths.set(start, lengths.add(spelling.length))
    }
  }

  /** Wherever it stands in the run: `access_token=…`, a path, before a sentence's full stop. */
  #withoutTokens(run: string): string {
    let shown = ''
    let from = 0
    for (let at = 0; at + SHORTEST <= run.length; at++) {
      const length = this.#tokenAt(run, at)
      if (length === 0) continue
      shown += `${run.slice(from, at)}‹access token›`
      from = at + length
      at = from - 1
    }
    const rest = shown + run.slice(from)
    return rest
      .split(/([=.&])/)
      .map((part) => (this.#isEncodedToken(part) ? '‹access token›' : part))
      .join('')
  }

  /** How long the token is that begins there; 0: none does. */
  #tokenAt(run: string, at: number): number {
    const lengths = [...(this.#lengths.get(run.slice(at, at + SHORTEST)) ?? [])].sort((a, b) => b - a)
    return lengths.find((length) => this.#tokens.has(run.slice(at, at + length))) ?? 0
  }

  #isEncodedToken(text: string): boolean {
    return text.length >= SHORTEST && this.#tokens.has(Buffer.from(text, 'base64').toString('latin1'))
  }
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
