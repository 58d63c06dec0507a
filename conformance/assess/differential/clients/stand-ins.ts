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

  /** An answer as a client may get it; undefined where it may hold a secret that has no stand-in. */
  answer(response: WireResponse, isClean: (text: string) => boolean): WireResponse | undefined {
    const { body, headers, status } = response
    const text = Buffer.from(body).toString()
    const shown = this.text(replaceSecretMembers(text, (value) => this.of(value)))
    const own = headers.flatMap(([name, value]): [string, string][] => {
      if (OF_THE_WAY.test(name)) return []
      const isCookie = /^set-cookie2?$/i.test(name)
      return [[name, this.text(isCookie ? value.replace(/(?<==)[^;]*/, (one) => this.of(one)) : value)]]
    })
    const isHidden = own.every(([, value]) => hideTokenParameter(value) === value && isClean(value))
    if (!isHidden || !isClean(shown)) return undefined
    // Bytes that are no text come through as they are.
    return { status, headers: own, body: shown === text ? body : Buffer.from(shown), truncated: false }
  }

  /** The secrets that may be anywhere. */
  text(text: string): string {
    const all = [...this.#known].filter(([secret]) => secret.length >= MIN_IN_TEXT)
    return all
      .toSorted(([a], [b]) => b.length - a.length)
      .reduce((done, [secret, standIn]) => done.replaceAll(secret, () => standIn), text)
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
