const SHORTEST = 8
const TOKEN_RUN = /[A-Za-z0-9\-._~+/=%]{8,}/g
const MOST_TOKENS = 200_000

/**
 * The second net: keeps secrets out of any text, in raw, percent-, form-, base64- and JSON-escaped spelling. The first is
 * that fields which hold them are never rendered. Values under eight characters are left to the first: replacing them
 * everywhere would garble every text.
 */
export class Redactor {
  /** Spelling → what is shown in its place. */
  readonly #labels = new Map<string, string>()
  readonly #tokens = new Set<string>()
  #pattern: RegExp | undefined

  constructor(secrets: readonly { readonly value: string; readonly label: string }[]) {
    for (const { value, label } of secrets) this.learn(value, `‹${label}›`)
  }

  /** A secret with its label, such as a declared password, or a near miss of one. */
  learn(value: string, label: string): void {
    if (value.length < SHORTEST) return
    for (const spelling of spellingsOf(value)) {
      if (spelling.length < SHORTEST || this.#labels.has(spelling)) continue
      this.#labels.set(spelling, label)
      this.#pattern = undefined
    }
  }

  /** An issued token: there may be very many, so that they are looked up rather than searched for. */
  learnToken(token: string): void {
    if (token.length < SHORTEST || this.#tokens.size > MOST_TOKENS) return
    if (/^[A-Za-z0-9\-._~+/=]+$/.test(token)) {
      this.#tokens.add(token)
      // The rest of its spellings are learnt when one is needed, by being looked for in decoded form.
    } else this.learn(token, '‹access token›')
  }

  text(text: string): string {
    if (text.length < SHORTEST) return text
    this.#pattern ??= patternOf(this.#labels.keys())
    const known = text.replace(this.#pattern, (found) => this.#labels.get(found) ?? '‹secret›')
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

  #withoutTokens(run: string): string {
    if (this.#isToken(run)) return '‹access token›'
    // A token inside a longer run: `access_token=…`, a path, a sentence's full stop.
    return run
      .split(/([=/.]|%3[dD]|%26)/)
      .map((part) => (this.#isToken(part) ? '‹access token›' : part))
      .join('')
  }

  #isToken(text: string): boolean {
    if (text.length < SHORTEST) return false
    if (this.#tokens.has(text) || this.#tokens.has(text.replace(/=+$/, ''))) return true
    const decoded = text.includes('%')
      ? text.replace(/%([\da-f]{2})/gi, (_, hex: string) => fromHex(hex))
      : text
    if (decoded !== text && this.#tokens.has(decoded)) return true
    return this.#tokens.has(Buffer.from(text, 'base64').toString('latin1'))
  }
}

function spellingsOf(value: string): Set<string> {
  const percent = encodeURIComponent(value.toWellFormed())
  const form = new URLSearchParams({ v: value }).toString().slice(2)
  const json = JSON.stringify(value).slice(1, -1)
  return new Set([
    value,
    percent,
    lowerHex(percent),
    form,
    lowerHex(form),
    json,
    json.replace(/[^\x20-\x7e]/g, unicodeEscape),
    // As .NET, Gson and others escape for use inside HTML.
    json.replace(/[^\x20-\x7e]|[&'+<>`]/g, unicodeEscape),
    json.replace(/[^\x20-\x7e]|[&'+<>`]/g, (char) => unicodeEscape(char).toUpperCase().replace('\\U', '\\u')),
    json.replaceAll('/', '\\/'),
    html(value),
    ...base64Of(value),
  ])
}

/** Base64 of the value, also where it stands inside a longer text (as in `user:password`). */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const whole = bytes.toString('base64')
  const inner = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last group hold bits of the neighbours.
    return text.slice(shift === 0 ? 0 : 4, text.length - (text.length % 4 === 0 ? 0 : 1))
  })
  return [whole, ...inner].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

function patternOf(spellings: Iterable<string>): RegExp {
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g')
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function lowerHex(text: string): string {
  return text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())
}

function fromHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
