import type net from 'node:net'

const [LF, CR] = [0x0a, 0x0d]
/** A service may say so on an idle connection before it ends that (RFC 9110 15.5.9). */
const IDLE_TIMEOUT = /^HTTP\/1\.[01] 408 /

/** Whether what came while no answer was awaited is more than empty lines, which say nothing (RFC 9112 9.2). */
export function isStray(bytes: Uint8Array): boolean {
  const begin = firstOfText(bytes)
  if (begin === -1) return false
  return !IDLE_TIMEOUT.test(Buffer.from(bytes.subarray(begin, begin + 16)).toString('latin1'))
}

/** Whether it is more than line ends. */
export function hasText(bytes: Uint8Array): boolean {
  return firstOfText(bytes) !== -1
}

function firstOfText(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte !== CR && byte !== LF)
}

/** What undici has found behind the end of an answer on a socket. */
export class AnswerEnd {
  readonly #socket: net.Socket
  #isFollowed = false

  /** @param onRead is given what is read, before undici is */
  constructor(socket: net.Socket, onRead: (chunk: Buffer) => void) {
    this.#socket = socket
    const read = socket.read.bind(socket)
    const unshift = socket.unshift.bind(socket)
    socket.read = (size?: number) => {
      const chunk: unknown = read(size)
      if (Buffer.isBuffer(chunk)) onRead(chunk)
      return chunk
    }
    // Of an answer that ends its connection, it gives back what it has not parsed.
    socket.unshift = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk instanceof Uint8Array && hasText(chunk)) this.#isFollowed = true
      return unshift(chunk, encoding)
    }
  }

  /** To be asked once an answer is complete and what was read with it is parsed: whether bytes follow it. */
  get isFollowed(): boolean {
    const { errored } = this.#socket
    return this.#isFollowed || errored?.name === 'HTTPParserError' || errored?.message === 'bad response'
  }
}
