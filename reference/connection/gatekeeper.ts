import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LogSink } from '../log.js'
import { explainMalformed } from './malformed-message.js'
import { explainRejection, rejectConnection, statusOf } from './reject.js'

/** Lets requests in that may be answered, and ends connections on which something else comes. */
export interface Gatekeeper {
  /** Whether a request is to be answered; otherwise nothing is left to do. */
  admits(message: IncomingMessage, response: ServerResponse): boolean
  /** The answer to this request, which has been read, announces the end: nothing after it counts (RFC 9112 9.6). */
  admitsNoMore(message: IncomingMessage): void
  /** Whether a request that has been read was answered before its end came, and is not to be acted upon. */
  hasGivenUp(message: IncomingMessage): boolean
  /** Ends every connection at once. */
  endAll(): void
}

/** Admits or rejects every request; `requestTimeoutMs` is the time for a request to arrive. */
export function createGatekeeper(server: Server, requestTimeoutMs: number, log: LogSink): Gatekeeper {
  const connections = new Set<Socket>()
  const ending = new WeakSet<Socket>()
  /** Their last request has begun, and may yet turn out to be none. */
  const onLast = new WeakSet<Socket>()
  const givenUp = new WeakSet<IncomingMessage>()
  /** The answers that have not left, in the order of their requests. */
  const due = new WeakMap<Socket, Set<ServerResponse>>()

  /** Answers what is no request, after every answer that is due before, and ends the connection. */
  const refuse = (socket: Socket, status: ReturnType<typeof statusOf>, reason: string): void => {
    if (ending.has(socket)) return
    ending.add(socket)
    log({ level: 'info', event: 'turned-away', status, reason })
    const answers = [...(due.get(socket) ?? [])]
    // Of a request that was cut short there is no answer to wait for: this is it.
    for (const { req } of answers) if (!req.complete) givenUp.add(req)
    const before = answers.filter(({ req }) => req.complete).at(-1)
    if (before === undefined) {
      rejectConnection(socket, status)
      return
    }
    // Before Node's own listener, which ends the connection of a client that has ended its side. An answer that
    // announced the end was the last.
    before.prependOnceListener('finish', () => {
      if (before.shouldKeepAlive) rejectConnection(socket, status)
    })
  }
  const expect = (socket: Socket, response: ServerResponse): void => {
    const answers = due.get(socket) ?? new Set()
    due.set(socket, answers.add(response))
    response.once('finish', () => answers.delete(response))
  }

  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // The stream of a server is a socket, whatever its type says.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse(socket as Socket, statusOf(error), explainRejection(error)),
  )
  // Without a listener Node ends the connection without an answer.
  server.on('connect', (_, socket) => {
    // Node has let go of it: while answers are due before, no one else learns that the client is gone.
    socket.on('error', () => socket.destroy())
    refuse(socket as Socket, 400, 'this is no proxy')
  })
  // A client that does not take its answers; one that waits for an answer may be silent. Longer than it takes to see
  // that a request is slow, so that its client learns of it.
  server.timeout = Math.min(requestTimeoutMs * 2 + 1000, 2 ** 31 - 1)
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || (due.get(socket)?.size ?? 0) === 0) socket.destroy()
  })
  // Node forgets headers beyond a count of them, without a word; their length is limited already.
  server.maxHeadersCount = 0

  return {
    admits(message, response) {
      const { socket } = message
      if (ending.has(socket) || onLast.has(socket)) return false
      const malformed = explainMalformed(message)
      if (malformed !== undefined) {
        refuse(socket, 400, malformed)
        return false
      }
      expect(socket, response)
      // Node passes over what comes in the same packet after a request to upgrade: the client must know.
      if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false
      if (!response.shouldKeepAlive) onLast.add(socket)
      return true
    },
    admitsNoMore: ({ socket }) => ending.add(socket),
    hasGivenUp: (message) => givenUp.has(message),
    endAll() {
      for (const socket of connections) socket.destroy()
    },
  }
}
