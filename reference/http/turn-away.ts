import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may go on sending after it was turned away, so that the answer is not lost in a reset. */
const lingerMs = 1000

/** Ends a connection with an answer to what is no request, or not one that can be read to its end. */
export function turnAway(socket: Socket, status: 400 | 408 | 413 | 431): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', 'Content-Length: 0']
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket
    .once('end', () => socket.destroySoon())
    .once('close', () => clearTimeout(timer))
    .resume()
}

/** The answer to what Node's parser, or its time-outs, complain of. */
export function statusOf({ code }: NodeJS.ErrnoException): 400 | 408 | 413 | 431 {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413
    case 'HPE_HEADER_OVERFLOW':
      return 431
    default:
      return 400
  }
}
