import { grouped } from '../model/items.js'
import type { JsonNode } from '../model/json.js'

export interface JsonReading {
  /** The value, where one can be made out; read leniently, so that one flaw does not hide what else there is. */
  readonly root?: JsonNode
  /** Why the text is not one strict JSON value (RFC 8259); empty when it is. */
  readonly problems: readonly string[]
  /** It holds more values than were asked for: nothing is known of it. */
  readonly isTooLarge?: true
}

/** Of a text with a million of them, these say enough. */
const MAX_PROBLEMS = 20

const STRICT_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NUMBER_RUN = /[-+.\w]+/y
const SPACE = /[ \t\n\r]*/y
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Unreadable extends Error {}
class TooLarge extends Error {}

/** Reads one JSON value of at most so many values in all. Never throws, and does not recurse: depth costs memory only. */
export function readJson(text: string, maxValues = Number.POSITIVE_INFINITY): JsonReading {
  const problems: string[] = []
  let start = skipSpace(text, 0)
  if (start === text.length) return { problems: ['the body is empty'] }
  for (let attempt = 0; attempt < 2; attempt++) {
    const found: string[] = []
    try {
      const root = new Reader(text, start, found, maxValues).value()
      const after = skipSpace(text, root.end)
      if (after < text.length) found.push(`text after the JSON value, at character ${after}`)
      return { root, problems: [...problems, ...found] }
    } catch (error) {
      if (error instanceof TooLarge) return { problems: [error.message], isTooLarge: true }
      if (!(error instanceof Unreadable)) throw error
      problems.push(error.message)
      // A prefix such as `)]}'` or a log line: look whether an object follows it.
      const brace = text.indexOf('{', start + (text[start] === '{' ? 1 : 0))
      if (attempt > 0 || brace < 0 || text[start] === '{') break
      problems[problems.length - 1] = 'text before the JSON value'
      start = brace
    }
  }
  return { problems }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

class Reader {
  readonly #text: string
  readonly #problems: string[]
  readonly #maxValues: number
  #values = 0
  #at: number

  constructor(text: string, at: number, problems: string[], maxValues: number) {
    this.#text = text
    this.#maxValues = maxValues
    this.#at = at
    this.#problems = problems
  }

  value(): JsonNode {
    const open: Extract<JsonNode, { kind: 'object' | 'array' }>[] = []
    let name: { text: string; start: number } | undefined
    const names: (typeof name)[] = []
    for (;;) {
      let node = this.#scalarOrOpen()
      const closesAtOnce =
        node.kind === 'object' ? this.#take('}') : node.kind === 'array' ? this.#take(']') : true
      if (!closesAtOnce && (node.kind === 'object' || node.kind === 'array')) {
        open.push(node)
        names.push(name)
        name = node.kind === 'object' ? this.#memberName() : undefined
        continue
      }
      if (node.kind === 'object' || node.kind === 'array') node.end = this.#at
      for (;;) {
        const parent = open.at(-1)
        if (parent === undefined) return node
        if (parent.kind === 'array') parent.items.push(node)
        else parent.members.push({ name: name?.text ?? '', value: node, start: name?.start ?? node.start })
        const close = parent.kind === 'array' ? ']' : '}'
        const comma = this.#take(',')
        if (comma && !this.#take(close)) {
          name = parent.kind === 'object' ? this.#memberName() : undefined
          break
        }
        if (comma) this.#note(`a comma before \`${close}\`, at character ${this.#at - 1}`)
        else if (!this.#take(close)) throw this.#unexpected(`\`,\` or \`${close}\``)
        parent.end = this.#at
        node = parent
        open.pop()
        name = names.pop()
      }
    }
  }

  #scalarOrOpen(): JsonNode {
    if (++this.#values > this.#maxValues)
      throw new TooLarge(`the body holds more than ${grouped(this.#maxValues)} JSON values`)
    const start = this.#space()
    const char = this.#text[start]
    if (char === '{' || char === '[') {
      this.#at = start + 1
      return char === '{'
        ? { kind: 'object', members: [], start, end: start }
        : { kind: 'array', items: [], start, end: start }
    }
    if (char === '"') return { kind: 'string', value: this.#string(), start, end: this.#at }
    NUMBER_RUN.lastIndex = start
    const word = NUMBER_RUN.exec(this.#text)?.[0]
    if (word === undefined) throw this.#unexpected('a JSON value')
    this.#at = start + word.length
    if (word === 'true' || word === 'false' || word === 'null')
      return { kind: 'literal', value: word === 'null' ? null : word === 'true', start, end: this.#at }
    if (!STRICT_NUMBER.test(word)) {
      if (!/^[-+.]*\d/.test(word)) {
        this.#at = start
        throw this.#unexpected('a JSON value')
      }
      this.#note(`\`${word.slice(0, 40)}\` is no JSON number, at character ${start}`)
    }
    return { kind: 'number', raw: word, start, end: this.#at }
  }

  #note(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem)
  }

  #memberName(): { text: string; start: number } {
    const start = this.#space()
    if (this.#text[start] !== '"') throw this.#unexpected('a member name in double quotes')
    const text = this.#string()
    if (!this.#take(':')) throw this.#unexpected('`:`')
    return { text, start }
  }

  /** Reads the string that begins at the current `"`. */
  #string(): string {
    const text = this.#text
    let value = ''
    let from = this.#at + 1
    for (let at = from; ; at++) {
      const code = text.charCodeAt(at)
      if (code === 0x22) {
        this.#at = at + 1
        return value === '' ? text.slice(from, at) : value + text.slice(from, at)
      }
      if (Number.isNaN(code)) throw new Unreadable('the text ends inside a string')
      if (code < 0x20) this.#note(`a control character inside a string, at character ${at}`)
      if (code !== 0x5c) continue
      value += text.slice(from, at)
      const letter = text[at + 1] ?? ''
      const hex = letter === 'u' ? /^[\da-fA-F]{4}/.exec(text.slice(at + 2, at + 6))?.[0] : undefined
      if (hex !== undefined) value += String.fromCharCode(Number.parseInt(hex, 16))
      else if (ESCAPES[letter] !== undefined) value += ESCAPES[letter]
      else {
        this.#note(`\`\\${letter}\` is no JSON escape, at character ${at}`)
        value += letter
      }
      at += hex === undefined ? 1 : 5
      from = at + 1
    }
  }

  #space(): number {
    this.#at = skipSpace(this.#text, this.#at)
    return this.#at
  }

  #take(char: string): boolean {
    if (this.#text[this.#space()] !== char) return false
    this.#at++
    return true
  }

  #unexpected(expected: string): Unreadable {
    const found = this.#text[this.#at]
    return new Unreadable(
      found === undefined
        ? `the text ends where ${expected} is expected`
        : `${expected} expected at character ${this.#at}`,
    )
  }
}
