import { fold } from './decoded-forms.js'

/** A place where a pattern was found: from the first byte up to, not including, the last. */
export interface Match {
  readonly from: number
  readonly to: number
  readonly pattern: number
}

/** Finds many patterns in one pass over the text (Aho and Corasick), whatever the text is. Folds what it compares. */
export class PatternSearch {
  readonly #patterns: readonly string[]
  /** Node × 256 + byte → node. */
  readonly #next = new Map<number, number>()
  readonly #fail: number[] = [0]
  readonly #ending: (number | undefined)[] = [undefined]
  /** The nearest node on the way of failures where a pattern ends. */
  readonly #shorter: number[] = [0]
  /** Bytes that no pattern begins with: by far the most of a text. */
  readonly #beginsNone = new Uint8Array(256)

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns
    for (const [index, pattern] of patterns.entries()) this.#insert(pattern, index)
    this.#link()
    for (let code = 0; code < 256; code++) this.#beginsNone[code] = this.#next.has(fold(code)) ? 0 : 1
  }

  /** Every place, of which `isMatch` may refuse some; of several that end together the longest. */
  find(bytes: string, isMatch: (match: Match) => boolean): readonly Match[] {
    const found: Match[] = []
    if (this.#patterns.length === 0) return found
    let node = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes.charCodeAt(at)
      if (node === 0 && this.#beginsNone[byte] === 1) continue
      const code = fold(byte)
      let next = this.#next.get(node * 256 + code)
      while (next === undefined && node !== 0) {
        node = this.#fail[node] ?? 0
        next = this.#next.get(node * 256 + code)
      }
      node = next ?? 0
      for (let end = node; end !== 0; end = this.#shorter[end] ?? 0) {
        const pattern = this.#ending[end]
        if (pattern === undefined) continue
        const match = { from: at + 1 - (this.#patterns[pattern]?.length ?? 0), to: at + 1, pattern }
        if (!isMatch(match)) continue
        // An echo of nothing but backslashes has the same pattern at every place: that is one long match.
        const last = found.at(-1)
        if (last?.pattern === pattern && match.from < last.to)
          found[found.length - 1] = { ...last, to: match.to }
        else found.push(match)
        break
      }
    }
    return found
  }

  #insert(pattern: string, index: number): void {
    let node = 0
    for (let at = 0; at < pattern.length; at++) {
      const key = node * 256 + fold(pattern.charCodeAt(at))
      let next = this.#next.get(key)
      if (next === undefined) {
        next = this.#fail.push(0) - 1
        this.#ending.push(undefined)
        this.#shorter.push(0)
        this.#next.set(key, next)
      }
      node = next
    }
    this.#ending[node] ??= index
  }

  #link(): void {
    // In the order of depth: a Map keeps the order of insertion, and a pattern may be inserted after a deeper one.
    const children = new Map<number, [number, number][]>()
    for (const [key, child] of this.#next) {
      const parent = Math.floor(key / 256)
      const list = children.get(parent) ?? []
      list.push([key % 256, child])
      children.set(parent, list)
    }
    const queue = [0]
    for (const node of queue) {
      for (const [code, child] of children.get(node) ?? []) {
        queue.push(child)
        if (node === 0) continue
        let back = this.#fail[node] ?? 0
        while (back !== 0 && !this.#next.has(back * 256 + code)) back = this.#fail[back] ?? 0
        const fail = this.#next.get(back * 256 + code) ?? 0
        this.#fail[child] = fail
        this.#shorter[child] = this.#ending[fail] === undefined ? (this.#shorter[fail] ?? 0) : fail
      }
    }
  }
}
