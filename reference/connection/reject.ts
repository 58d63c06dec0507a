import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may go on sending after it was rejected, so that the answer is not lost in a reset. */
const lingerMs = 1000

/** Ends a connection with an answer to what is no request, or not one that can be read to its end. */
export function rejectConnection(socket: Socket, status: 400 | 408 | 413 | 431): void {
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

/** What Node reports of what was no request. */
export interface ConnectionError {
  readonly name: string
  readonly code?: string | undefined
  /** What had come. */
  readonly rawPacket?: Uint8Array
}

/** The first byte of a TLS handshake (RFC 8446 5.1), which no method begins with. */
const handshake = 0x16

/** What was no request, in words where it is a usual mistake; otherwise what Node calls it. Quotes nothing of it. */
export function explainRejection({ code, name, rawPacket }: ConnectionError): string {
  if (rawPacket?.[0] === handshake) return 'TLS came to a port of plain HTTP: the URL must begin with http:'
  switch (code) {
    case 'ERR_SSL_HTTP_REQUEST':
      return 'plain HTTP came to a port of TLS: the URL must begin with https:'
    case 'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
      return 'the client does not trust the certificate'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'the request did not arrive in time'
    case 'ECONNRESET':
      return 'the client reset the connection'
    case 'HPE_INVALID_EOF_STATE':
      return 'the client ended the connection before the end of a request'
    case 'HPE_HEADER_OVERFLOW':
      return 'the headers are longer than 16,384 bytes'
    default:
      return code ?? name
  }
}
