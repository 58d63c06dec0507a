import type { Framing } from './head.js'
import { HeldBytes } from './held-bytes.js'

const NOTHING = Buffer.alloc(0)

/** What a reader finds, in the order of the bytes. */
export interface MessageEvents {
  /**
   * @param text the head's bytes as characters, without the empty line
   * @param from its first byte in what is read now; negative where it began before
   * @returns where the body ends; undefined: no further byte is to be read
   */
  readonly onHead: (text: string, from: number) => Framing | undefined
  /** A part of the body, its chunks undone; the bytes are the caller's own. */
  readonly onBody: (bytes: Buffer) => void
  /** A field after a chunked body. */
  readonly onTrailer?: (name: string, value: string) => void
  /** @param size bytes of the message, with the empty lines before it */
  readonly onEnd: (size: number) => void
  /**
   * These bytes can be understood in more than one way, or in none: no further byte is read.
   * @param head what came of it, where it is the head that cannot be read
   * @param from as for `onHead`
   */
  readonly onUnreadable: (why: string, head?: string, from?: number) => void
  /** They are answers: before the first, an empty line is not allowed. Behind an answer it may be a part of that. */
  readonly areAnswers?: boolean
}

type ReaderState = 'head' | 'length' | 'close' | 'size' | 'data' | 'data-end' | 'trailer' | 'stopped'

/** Bytes of a head, and of the lines between chunks: beyond, none is looked at. */
export const MAX_HEAD = 64 * 1024
const MAX_LINE = 4096
const CR = 13
const LF = 10
/** What comes after the size is for no one here (RFC 9112, section 7.1.1). */
const CHUNK = /^([\da-f]{1,12})(?:[\t ]*;[\t -~\x80-\xff]*)?$/i
/** Lenient readers end a line there, strict ones do not (RFC 9112, section 2.2). */
const BARE_LF = 'a line ends in LF without CR'
const TRAILER = /^([!#$%&'*+.^_`|~\w-]+):([\t -~\x80-\xff]*)$/
/** What says how a message is read cannot come after it, and what says how its content is, comes too late (RFC 9110, 6.5.1). */
const OF_FRAMING = /^(?:content-length|transfer-encoding)$/i
const OF_CONTENT = /^content-(?:type|encoding)$/i
/** Characters of all trailers of a message. */
const MAX_TRAILERS = 4096

/**
 * Reads the messages of one direction of a connection, from bytes that are somewhere else too: it holds no body, and
 * nothing that a peer does makes it hold more than one head. What is doubtful ends the reading: the bytes pass all the same.
 */
export class MessageReader {
  readonly #events: MessageEvents
  #state: ReaderState = 'head'
  /** What is left of a body or a chunk; of trailers, what has come. */
  #left = 0
  /** The beginning of a head or a line that has not ended yet. */
  readonly #held = new HeldBytes()
  /** Bytes since the end of the last message, read or not. */
  #size = 0
  #isWhole = false
  #hasRead = false
  #endedBetween = false

  constructor(events: MessageEvents) {
    this.#events = events
  }

  /** What came of a head that has not ended. */
  get held(): Buffer {
    return this.#state === 'head' ? this.#held.bytes : NOTHING
  }

  /** Bytes since the end of the last message. */
  get unended(): number {
    return this.#size
  }

  /** Nothing has come since the end of the last message, or only empty lines. */
  get isBetween(): boolean {
    return this.#endedBetween || (this.#state === 'head' && this.#held.length === 0)
  }

  read(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && this.#state !== 'stopped') {
      const next = this.#step(bytes, at)
      this.#size += next - at
      at = next
      if (this.#isWhole) this.#end()
    }
    this.#size += bytes.length - at
  }

  /** No further byte comes: a body may end by that. */
  end(): void {
    const isOpen = this.#state === 'close'
    this.#endedBetween = this.isBetween
    this.stop()
    if (isOpen) this.#end()
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
          else this.#fail('a chunk is longer than it says', line)
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
    // RFC 9112, section 2.2: an empty line before a request is no part of it.
    const next = this.#skipEmptyLine(bytes, at)
    if (next !== undefined) return next
    const from = at - this.#held.length
    const head = this.#take(bytes, at, '\r\n\r\n', MAX_HEAD)
    if (head === undefined) return bytes.length
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
    if (this.#events.areAnswers && !this.#hasRead && hasBegun && bytes[at] === LF) {
      this.#fail('an empty line precedes the first answer', '', at - this.#held.length)
      return bytes.length
    }
    if (hasBegun && bytes[at] === LF) {
      this.#held.clear()
      return at + 1
    }
    if (hasBegun || (this.#held.length === 0 && bytes[at] === LF)) {
      this.#fail(hasBegun ? 'CR alone precedes a message' : BARE_LF, '', at - this.#held.length)
      return bytes.length
    }
    if (this.#held.length > 0 || bytes[at] !== CR) return undefined
    this.#held.add(bytes.subarray(at, at + 1))
    return at + 1
  }

  #readLine(bytes: Buffer, at: number, onLine: (line: string) => void): number {
    const line = this.#take(bytes, at, '\r\n', MAX_LINE)
    if (line === undefined) return bytes.length
    onLine(line.text)
    return line.end
  }

  #onSize(line: string): void {
    const [, size] = CHUNK.exec(line) ?? []
    if (size === undefined) this.#fail('the size of a chunk is malformed', line)
    else {
      this.#left = Number.parseInt(size, 16)
      this.#state = this.#left === 0 ? 'trailer' : 'data'
    }
  }

  #onTrailer(line: string): void {
    const [, name, value = ''] = TRAILER.exec(line) ?? []
    this.#left += line.length
    if (line === '') this.#finish()
    else if (name === undefined || OF_FRAMING.test(name)) this.#fail('a trailer is malformed', line)
    else if (this.#left > MAX_TRAILERS) this.#fail(`the trailers are longer than ${MAX_TRAILERS} bytes`, line)
    else if (!OF_CONTENT.test(name)) this.#events.onTrailer?.(name, value.trim())
  }

  #finish(): void {
    this.#state = 'head'
    this.#isWhole = true
    this.#hasRead = true
  }

  #end(): void {
    const size = this.#size
    this.#size = 0
    this.#isWhole = false
    this.#events.onEnd(size)
  }

  /** @param text of the head or line that cannot be read */
  #fail(why: string, text: string, from = 0): void {
    const isHead = this.#state === 'head'
    this.stop()
    if (isHead) this.#events.onUnreadable(why, text, from)
    else this.#events.onUnreadable(why)
  }

  /** The text up to a mark, and where it ends in these bytes; undefined: it has not ended, and is held, or it is unreadable. */
  #take(bytes: Buffer, at: number, mark: string, longest: number): Taken | undefined {
    const before = this.#held.length
    const found = before === 0 ? bytes.indexOf(mark, at, 'latin1') : -1
    if (found >= 0 && found - at <= longest)
      return this.#taken(bytes.subarray(at, found), 0, at, found + mark.length)
    this.#held.add(bytes.subarray(at, at + longest + mark.length - before))
    const held = this.#held.bytes
    const from = at - before
    const end = held.indexOf(mark, Math.max(0, before - mark.length + 1), 'latin1')
    if (end >= 0) return this.#taken(held.subarray(0, end), before, from, from + end + mark.length)
    if (hasBareLf(held, before)) this.#fail(BARE_LF, held.toString('latin1'), from)
    else if (held.length >= longest + mark.length)
      this.#fail(`a head or a line is longer than ${longest} bytes`, held.toString('latin1'), from)
    return undefined
  }

  /** @param seen how many of its bytes had no wrong line end */
  #taken(part: Buffer, seen: number, from: number, end: number): Taken | undefined {
    const text = part.toString('latin1')
    if (hasBareLf(part, seen)) {
      this.#fail(BARE_LF, text, from)
      return undefined
    }
    this.#held.clear()
    return { text, end }
  }
}

interface Taken {
  readonly text: string
  /** In the bytes that are read now. */
  readonly end: number
}

function hasBareLf(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) return true
  return false
}
