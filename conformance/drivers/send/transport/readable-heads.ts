import { hasText } from './stray-bytes.js'

const [TAB, LF, CR, SPACE, TWO, X] = [0x09, 0x0a, 0x0d, 0x20, 0x32, 0x58]
/** undici reads on. */
const OTHER_PROTOCOL = /^(?:HTTP\/[^1]|RTSP\/|ICE\/)$/
const CONTINUE = /^HTTP\/1\.1 100$/
const INTERIM = /^HTTP\/1\.1 1/
/** Values in which white space is only around, or between members of a list. */
const FRAMING = /^(?:content-length|transfer-encoding):/i
/** As much of a line as these ask for. */
const MAX_BEGINNING = 'transfer-encoding:'.length
const STATUS_LENGTH = 'HTTP/1.1 100'.length

/**
 * Two things that every client has to read, and undici does not, and one that it alone reads. It skips every interim
 * answer but an unasked `100 (Continue)`, on which it ends the connection (RFC 9110 15.2): it is shown a 102 instead. It
 * takes a tab after the value of a framing header for a part of that (RFC 9112 5): it is shown a space. And it takes a head of
 * `HTTP/2.0`, or of two other protocols, for one of HTTP/1.1: it is shown no version. One for each exchange, given all
 * bytes of its answer in turn, however they are divided.
 */
export class ReadableHeads {
  /** Of the line that is being read. */
  #beginning = ''
  #isFirstLine = true
  #isInterim = false
  /** The head of the final answer has ended: nothing is changed any more. */
  #isOver = false

  /** An empty line comes before the head: many clients take that for an answer without one. */
  isPreceded = false

  /** What was read with the end of the head is more than empty lines. */
  isFollowed = false

  /** Changes the bytes in their place. */
  rewrite(chunk: Buffer): void {
    let at = 0
    for (; at < chunk.length && !this.#isOver; at++) {
      const byte = chunk[at]
      if (this.#isFirstLine && this.#beginning === '' && (byte === CR || byte === LF)) this.isPreceded = true
      if (byte === LF) this.#endLine()
      else if (byte !== CR && byte !== undefined) chunk[at] = this.#shown(byte)
    }
    if (at > 0 && this.#isOver) this.isFollowed = hasText(chunk.subarray(at))
  }

  #shown(byte: number): number {
    if (this.#beginning.length < MAX_BEGINNING) this.#beginning += String.fromCharCode(byte)
    if (this.#isFirstLine && OTHER_PROTOCOL.test(this.#beginning)) return X
    if (this.#isFirstLine)
      return this.#beginning.length === STATUS_LENGTH && CONTINUE.test(this.#beginning) ? TWO : byte
    return byte === TAB && FRAMING.test(this.#beginning) ? SPACE : byte
  }

  #endLine(): void {
    const line = this.#beginning
    this.#beginning = ''
    if (this.#isFirstLine) this.#isInterim = INTERIM.test(line)
    else if (line === '') this.#isOver = !this.#isInterim
    this.#isFirstLine = !this.#isFirstLine && line === ''
  }
}
