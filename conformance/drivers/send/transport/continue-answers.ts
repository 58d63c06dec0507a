import type net from 'node:net'

const CONTINUE = Buffer.from('HTTP/1.1 100')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** The place of the last digit of the status. */
const LAST = CONTINUE.length - 1
/** Up to here every interim answer begins alike. */
const INTERIM = CONTINUE.length - 2
const TWO = 0x32

/**
 * undici skips every interim answer but an unasked `100 (Continue)`, on which it ends the connection, although a
 * client must be able to read one (RFC 9110 15.2): it is shown a 102 instead. One for each exchange, given all bytes of its
 * answer in turn, however they are divided.
 */
export class ContinueAnswers {
  /** Bytes of the beginning, or of the end, of a head that have come; of which of them, says `#inHead`. */
  #matched = 0
  #inHead = false
  /** The head of the final answer has begun: nothing is changed any more. */
  #isFinal = false

  /** Changes the bytes in their place. */
  rewrite(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isFinal; at++) {
      if (this.#inHead) this.#readHead(chunk[at])
      else this.#readStart(chunk, at)
    }
  }

  #readStart(chunk: Buffer, at: number): void {
    const isSame = chunk[at] === CONTINUE[this.#matched]
    if (isSame && this.#matched === LAST) chunk[at] = TWO
    if (isSame && this.#matched < LAST) this.#matched += 1
    else if (isSame || this.#matched >= INTERIM) this.#begin(true)
    else this.#isFinal = true
  }

  #readHead(byte: number | undefined): void {
    if (byte === END_OF_HEAD[this.#matched]) this.#matched += 1
    else this.#matched = byte === END_OF_HEAD[0] ? 1 : 0
    if (this.#matched === END_OF_HEAD.length) this.#begin(false)
  }

  #begin(inHead: boolean): void {
    this.#inHead = inHead
    this.#matched = 0
  }
}

/** Has what is read from the socket pass through the answers that are awaited then. */
export function showContinueAsProcessing(
  socket: net.Socket,
  awaited: () => ContinueAnswers | undefined,
): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk)) awaited()?.rewrite(chunk)
    return chunk
  }
}
