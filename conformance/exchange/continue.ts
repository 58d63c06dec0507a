import type { Socket } from 'node:net'

const continueLine = Buffer.from('HTTP/1.1 100')
const lastDigit = continueLine.length - 1
const endOfHead = Buffer.from('\r\n\r\n')

/**
 * undici skips every interim answer but an unasked `100 (Continue)`, on which it ends the connection, although a
 * client must be able to read one (RFC 9110 15.2): while `awaiting` an answer, it is shown a 102 instead.
 */
export function showContinueAsProcessing(socket: Socket, awaiting: () => boolean): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (Buffer.isBuffer(chunk) && isContinue(chunk, 0) && awaiting()) rewrite(chunk)
    return chunk
  }
}

function rewrite(chunk: Buffer): void {
  let at = 0
  while (isContinue(chunk, at)) {
    chunk[at + lastDigit] = 0x32
    const end = chunk.indexOf(endOfHead, at)
    if (end === -1) return
    at = end + endOfHead.length
  }
}

function isContinue(chunk: Buffer, at: number): boolean {
  const end = at + continueLine.length
  return chunk.length >= end && chunk.compare(continueLine, 0, continueLine.length, at, end) === 0
}
