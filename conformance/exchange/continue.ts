import type { Socket } from 'node:net'

const interimLine = Buffer.from('HTTP/1.1 1')
const endOfHead = Buffer.from('\r\n\r\n')
const zero = 0x30
const two = 0x32

/**
 * undici skips every interim answer but an unasked `100 (Continue)`, on which it ends the connection, although a
 * client must be able to read one (RFC 9110 15.2): while `awaiting` an answer, it is shown a 102 instead.
 */
export function showContinueAsProcessing(socket: Socket, awaiting: () => boolean): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk) && isInterim(chunk, 0) && awaiting()) rewrite(chunk)
    return chunk
  }
}

function rewrite(chunk: Buffer): void {
  let at = 0
  while (isInterim(chunk, at)) {
    const digits = at + interimLine.length
    if (chunk[digits] === zero && chunk[digits + 1] === zero) chunk[digits + 1] = two
    const end = chunk.indexOf(endOfHead, at)
    if (end === -1) return
    at = end + endOfHead.length
  }
}

function isInterim(chunk: Buffer, at: number): boolean {
  const end = at + interimLine.length
  return chunk.length >= end && chunk.compare(interimLine, 0, interimLine.length, at, end) === 0
}
