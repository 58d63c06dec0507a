import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { Answer, Delivery, Drip } from '../http/answer.js'
import { clientGone } from './client-gone.js'

/** How long a client may go on sending after an answer to an unread body: a reset would cost it the answer. */
const lingerMs = 1000

/** What is true of the exchange, apart from its answer. */
export interface Surroundings {
  /** The `Date` header; `undefined`: none. */
  readonly date: string | undefined
  /** The request's body was not read: the connection cannot be used again. */
  readonly bodyUnread: boolean
  /** Whether the server is stopping, once the answer leaves: the connection is not kept then. */
  readonly isClosing: () => boolean
}

/** Puts a delivery on the wire; fulfilled when the answer has left, or never will. */
export async function writeDelivery(
  delivery: Delivery,
  message: IncomingMessage,
  response: ServerResponse,
  surroundings: Surroundings,
): Promise<void> {
  const { socket } = message
  if (delivery.delayMs !== undefined) {
    await pause(delivery.delayMs, clientGone(message, response))
    if (socket.destroyed) return
  }
  switch (delivery.kind) {
    case 'silence':
      return
    case 'reset':
      reset(socket)
      return
    case 'raw':
      socket.end(delivery.bytes)
      return
    case 'answer': {
      const { body } = delivery.answer
      // An answer to an unread body has no end of its own: the connection's comes first.
      const chunked = delivery.framing === 'chunked' && !surroundings.bodyUnread
      writeHead(delivery.answer, response, surroundings, chunked ? undefined : Buffer.byteLength(body))
      if (delivery.cutAfterBytes !== undefined)
        return writePart(body, delivery.cutAfterBytes, message, response)
      if (delivery.drip !== undefined) await writeDrops(Buffer.from(body), delivery.drip, message, response)
      await writeBody(delivery.drip === undefined ? body : '', message, response, surroundings.bodyUnread)
      if (delivery.hangUp === true) socket.end()
    }
  }
}

/** Ends early with its client: an hour's delay must not hold the connection of one that gave up after a second. */
async function pause(ms: number, gone: AbortSignal): Promise<void> {
  // That it was ended early is all that an exception could say.
  await after(ms, undefined, { ref: false, signal: gone }).catch(() => undefined)
}

/** Of a connection under TLS only the end can be had. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** The beginning of a body, then the end of the connection. */
async function writePart(
  body: string | Uint8Array,
  bytes: number,
  { socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  response.flushHeaders()
  const part = Buffer.from(body).subarray(0, bytes)
  if (part.length > 0) response.write(part)
  // Not `end` alone: a client that keeps its side open would keep the connection.
  socket.destroySoon()
  await gone
}

/** All of a body but for the end of the answer. */
async function writeDrops(
  body: Buffer,
  { bytes, everyMs, withinMs }: Drip,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = clientGone(message, response)
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  const begin = performance.now()
  for (let at = 0; at < body.length && !response.destroyed; ) {
    if (at > 0) await pause(everyMs, gone)
    // A client that ended its side waits as any other, if that is soon; one that is gone shows by the next write.
    if (at > 0 && gone.aborted && everyMs <= lingerMs) await pause(everyMs, closed.signal)
    const isLate = performance.now() - begin > (withinMs ?? Number.POSITIVE_INFINITY)
    const end = isLate ? body.length : at + bytes
    response.write(body.subarray(at, end))
    at = end
  }
}

function writeHead(
  answer: Answer,
  response: ServerResponse,
  { date, bodyUnread, isClosing }: Surroundings,
  length: number | undefined,
): void {
  // `Date` is the service's clock's, not the machine's.
  response.sendDate = false
  // A flat list keeps order, spelling and repetitions.
  const headers: string[] = []
  for (const [name, value] of answer.headers) headers.push(name, value)
  if (date !== undefined) headers.push('Date', date)
  // RFC 9110 8.6: these have none.
  const bodiless = answer.status === 204 || answer.status === 304
  if (length !== undefined && !bodiless) headers.push('Content-Length', String(length))
  if (bodyUnread || isClosing()) headers.push('Connection', 'close')
  response.writeHead(answer.status, headers)
}

/** A body that is a text leaves together with the headers, in one write: that is a third of an answer's cost. */
async function writeBody(
  body: string | Uint8Array,
  message: IncomingMessage,
  response: ServerResponse,
  bodyUnread: boolean,
): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  if (!bodyUnread) {
    response.end(body)
    return gone
  }
  const { socket } = message
  message.resume()
  if (message.method === 'HEAD') {
    response.end()
    return
  }
  // Not awaited: stopping the server need not wait for what is thrown away.
  response.write(body, () => {
    socket.end()
    const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', resolve))
    if (socket.readableEnded) socket.destroy()
    else void Promise.race([ended, after(lingerMs, undefined, { ref: false })]).then(() => socket.destroy())
  })
}
