import { hideTokenParameter, replaceSecretMembers } from '../../../evidence/hidden-fields.js'
import type { WireResponse } from '../../../exchange/exchange.js'

/** What frames a message on the way, or is set anew by who sends it. */
const OF_THE_WAY = /^(?:date|connection|keep-alive|transfer-encoding|content-length|content-encoding)$/i
/** Header, payload and signature: without its signature it is worth nothing, and the rest may be read. */
const SIGNED = /^([\w-]+\.[\w-]+\.)([\w-]+)$/
/** A character of JSON that is escaped stays as it is. */
const LETTERS = /\\u[\da-fA-F]{4}|\\.|[a-z]|[A-Z]|\d/g
/** A shorter one would be found by chance. */
export const MIN_IN_TEXT = 4

/** Texts in the places of secrets: as long, of the same kinds of characters, and the same for the same secret. */
export class StandIns {
  readonly #known = new Map<string, string>()

  /** @param secrets that may be anywhere in an answer */
  constructor(secrets: readonly string[]) {
    for (const secret of secrets) if (secret.length >= MIN_IN_TEXT) this.of(secret)
  }

  of(secret: string): string {
    const known = this.#known.get(secret) ?? shapedLike(secret)
    this.#known.set(secret, known)
    return known
  }

  /** All that are in use: a client may print them, and of a signed token most is as it was. */
  get shown(): readonly string[] {
    return [...this.#known.values()]
  }

  /** An answer as a client may get it; undefined where it may hold a secret that has no stand-in. */
  answer(response: WireResponse, isClean: (text: string) => boolean): WireResponse | undefined {
    const { body, headers, status } = response
    const text = Buffer.from(body).toString()
    const own = headers.filter(([name]) => !OF_THE_WAY.test(name))
    const shown = this.#replaceIn(text, own, (secret) => this.of(secret))
    // Most of a signed token is as it was: what is looked through is the answer without the stand-ins.
    const bare = this.#replaceIn(text, own, () => ' ')
    const isHidden = bare.headers.every(([, value]) => hideTokenParameter(value) === value && isClean(value))
    if (!isHidden || !isClean(bare.text)) return undefined
    // Bytes that are no text come through as they are.
    const served = shown.text === text ? body : Buffer.from(shown.text)
    return { status, headers: shown.headers, body: served, truncated: false }
  }

  /** The secrets that may be anywhere. */
  text(text: string): string {
    return this.#replaceAnywhere(text, (secret) => this.of(secret))
  }

  #replaceIn(body: string, headers: WireResponse['headers'], instead: (secret: string) => string) {
    return {
      text: this.#replaceAnywhere(replaceSecretMembers(body, instead), instead),
      headers: headers.map(([name, value]): readonly [string, string] => {
        const isCookie = /^set-cookie2?$/i.test(name)
        const own = isCookie ? value.replace(/(?<==)[^;]*/, instead) : value
        return [name, this.#replaceAnywhere(own, instead)]
      }),
    }
  }

  #replaceAnywhere(text: string, instead: (secret: string) => string): string {
    const all = [...this.#known.keys()].filter((secret) => secret.length >= MIN_IN_TEXT)
    return all
      .toSorted((a, b) => b.length - a.length)
      .reduce((done, secret) => done.replaceAll(secret, () => instead(secret)), text)
  }
}

function shapedLike(secret: string): string {
  const [, claims = '', signature = secret] = SIGNED.exec(secret) ?? []
  return claims + signature.replace(LETTERS, oneLike)
}

function oneLike(character: string): string {
  const any = (from: string, count: number): string =>
    String.fromCharCode(from.charCodeAt(0) + Math.floor(Math.random() * count))
  if (character.length > 1) return character
  if (character >= 'a') return any('a', 26)
  // A number does not begin with zero.
  return character >= 'A' ? any('A', 26) : any('1', 9)
}
