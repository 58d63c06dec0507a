import type { Framing } from './head.js'
import { HeldBytes } from './held-bytes.js'

/** What a reader finds, in the order of the bytes. */
export interface MessageEvents {
  /** @returns whether a message that begins so may pass; undefined: more of it is needed to say */
  readonly accepts: (beginning: string) => boolean | undefined
  /**
   * @param text the head's bytes as characters, without the empty line
   * @param from its first byte in what is read now; negative where it began before
   * @returns where the body ends; undefined: no further byte is to be read
   */
  readonly onHead: (text: string, from: number) => Framing | undefined
  /** A part of the body, its chunks undone; the bytes are the caller's own. */
  readonly onBody: (bytes: Buffer) => void
  readonly onEnd: () => void
  /** These bytes can be understood in more than one way, or in none: no further byte is read. */
  readonly onUnreadable: (why: string) => void
}

type ReaderState = 'head' | 'length' | 'close' | 'size' | 'data' | 'data-end' | 'trailer' | 'stopped'

/** Bytes of a head, and of the lines between chunks: beyond, none is looked at. */
const MAX_HEAD = 64 * 1024
const MAX_LINE = 4096
/** Of a message, to say whether it may pass. */
const BEGINNING = 64
const CR = 13
const LF = 10
/** What comes after the size is for no one here (RFC 9112, section 7.1.1). */
const CHUNK = /^([\da-f]{1,12})(?:[\t ]*;[\t -~\x80-\xff]*)?$/i
const TRAILER = /^[!#$%&'*+.^_`|~\w-]+:[\t -~\x80-\xff]*$/

/**
 * Reads the messages of one direction of a connection, from bytes that are somewhere else too: it holds no body, and
 * nothing that a peer does makes it hold more than one head. What is doubtful ends the reading: the bytes pass all the same.
 */
export class MessageReader {
  readonly #events: MessageEvents
  #state: ReaderState = 'head'
  /** What is left of a body or a chunk. */
  #left = 0
  /** The beginning of a head or a line that has not ended yet. */
  readonly #held = new HeldBytes()
  #isAccepted = false
  #refusedAt: number | undefined

  constructor(events: MessageEvents) {
    this.#events = events
  }

  /** Bytes of a head that has not ended. */
  get heldBytes(): number {
    return this.#state === 'head' ? this.#held.length : 0
  }

  /** @returns how many of the bytes come before a message that is not accepted: all, where every one is */
  read(bytes: Buffer): number {
    let at = 0
    while (at < bytes.length && this.#state !== 'stopped') at = this.#step(bytes, at)
    return this.#refusedAt ?? bytes.length
  }

  /** No further byte comes: a body may end by that. */
  end(): void {
    const isOpen = this.#state === 'close'
    this.stop()
    if (isOpen) this.#events.onEnd()
  }

  stop(): void {
    this.#state = 'stopped'
    this.#held.clear()
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'size':
        return this.#readLine(bytes, at, (line) => this.#onSize(line))
      case 'trailer':
        return this.#readLine(bytes, at, (line) => this.#onTrailer(line))
      case 'data-end':
        return this.#readLine(bytes, at, (line) => {
          if (line === '') this.#state = 'size'
          else this.#fail('a chunk is longer than it says')
        })
      case 'stopped':
        return bytes.length
      default:
        return this.#readBody(bytes, at)
    }
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = this.#state === 'close' ? bytes.length : Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#events.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#left > 0 || this.#state === 'close') return end
    if (this.#state === 'data') this.#state = 'data-end'
    else this.#finish()
    return end
  }

  #readHead(bytes: Buffer, at: number): number {
    if (!this.#isAccepted) {
      // RFC 9112, section 2.2: an empty line before a request is no part of it.
      const next = this.#skipEmptyLine(bytes, at)
      if (next !== undefined) return next
      if (!this.#accept(bytes, at)) return bytes.length
    }
    const from = at - this.#held.length
    const head = this.#take(bytes, at, '\r\n\r\n', MAX_HEAD)
    if (head === undefined) return bytes.length
    this.#isAccepted = false
    const framing = this.#events.onHead(head.text, from)
    if (framing === undefined) this.stop()
    else if (framing.kind === 'chunked') this.#state = 'size'
    else if (framing.kind === 'close') this.#state = 'close'
    else if (framing.bytes === 0) this.#finish()
    else {
      this.#left = framing.bytes
      this.#state = 'length'
    }
    return head.end
  }

  /** @returns where to go on; undefined: there is none here */
  #skipEmptyLine(bytes: Buffer, at: number): number | undefined {
    const hasBegun = this.#held.length === 1 && this.#held.bytes[0] === CR
    if (hasBegun && bytes[at] === LF) {
      this.#held.clear()
      return at + 1
    }
    if (hasBegun || (this.#held.length === 0 && bytes[at] === LF)) {
      this.#fail('there is half an empty line before a message')
      return bytes.length
    }
    if (this.#held.length > 0 || bytes[at] !== CR) return undefined
    this.#held.add(bytes.subarray(at, at + 1))
    return at + 1
  }

  /** Whether to read on. What cannot be said yet is asked again with more of it. */
  #accept(bytes: Buffer, at: number): boolean {
    const room = Math.max(0, BEGINNING - this.#held.length)
    const beginning = this.#held.bytes.toString('latin1') + bytes.toString('latin1', at, at + room)
    const accepted = this.#events.accepts(beginning)
    if (accepted === false) {
      this.#refusedAt = at
      this.stop()
      return false
    }
    this.#isAccepted = accepted === true || beginning.length >= BEGINNING
    return true
  }

  #readLine(bytes: Buffer, at: number, onLine: (line: string) => void): number {
    const line = this.#take(bytes, at, '\r\n', MAX_LINE)
    if (line === undefined) return bytes.length
    onLine(line.text)
    return line.end
  }

  #onSize(line: string): void {
    const [, size] = CHUNK.exec(line) ?? []
    if (size === undefined) this.#fail('the size of a chunk is malformed')
    else {
      this.#left = Number.parseInt(size, 16)
      this.#state = this.#left === 0 ? 'trailer' : 'data'
    }
  }

  #onTrailer(line: string): void {
    // RFC 9110, section 6.5.1.
    const isFraming = /^(?:content-length|transfer-encoding)[\t ]*:/i.test(line)
    if (line === '') this.#finish()
    else if (isFraming || !TRAILER.test(line)) this.#fail('a trailer is malformed')
  }

  #finish(): void {
    this.#state = 'head'
    this.#events.onEnd()
  }

  #fail(why: string): void {
    this.stop()
    this.#events.onUnreadable(why)
  }

  /** The text up to a mark, and where it ends in these bytes; undefined: it has not ended, and is held. */
  #take(
    bytes: Buffer,
    at: number,
    mark: string,
    longest: number,
  ): { readonly text: string; readonly end: number } | undefined {
    if (this.#held.length === 0) {
      const found = bytes.indexOf(mark, at, 'latin1')
      if (found >= 0 && found - at <= longest)
        return { text: bytes.toString('latin1', at, found), end: found + mark.length }
    }
    const before = this.#held.length
    this.#held.add(bytes.subarray(at, at + longest + mark.length - before))
    const held = this.#held.bytes
    const found = held.indexOf(mark, Math.max(0, before - mark.length + 1), 'latin1')
    if (found < 0) {
      if (held.length >= longest + mark.length) this.#fail(`a head or a line is longer than ${longest} bytes`)
      return undefined
    }
    const text = held.toString('latin1', 0, found)
    this.#held.clear()
    return { text, end: at + found + mark.length - before }
  }
}
