import { type IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DueAnswers, MAX_DUE } from '../../pages/guard/due-answers.js'
import type { LogLine, LogSink } from '../log.js'
import { explainMalformed } from './malformed-message.js'
import { createOpenRequests, type OpenRequests } from './open-requests.js'
import { explainRejection, rejectConnection, statusOf } from './reject.js'

/** Admits requests that may be answered, and ends connections that send anything else. */
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
  /** Their last request has begun, and may still prove malformed. */
  const onLast = new WeakSet<Socket>()
  const givenUp = new WeakSet<IncomingMessage>()
  const openRequests = createOpenRequests()
  const due = new DueAnswers()

  /** Answers a malformed request after every earlier answer that is due, and ends the connection. */
  const refuse: Refuse = (socket, status, reason, begun = true) => {
    if (ending.has(socket)) return
    ending.add(socket)
    const answers = due.of(socket)
    log({ level: 'info', event: 'turned-away', status, reason, begun })
    // A request that was cut short has no other answer than this one.
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
  const drop = (socket: Socket, reason: string): false => {
    log(withoutAnswer(reason))
    socket.destroy()
    return false
  }

  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  listenForMalformed(server, refuse, openRequests)
  endSilent(server, requestTimeoutMs, (socket) => due.of(socket).length > 0)
  // Node silently drops headers beyond a count; their length is limited already.
  server.maxHeadersCount = 0

  return {
    admits(message, response) {
      const { socket } = message
      if (socket.destroyed || ending.has(socket) || onLast.has(socket)) return false
      if (due.isFull(socket)) return drop(socket, MANY_DUE)
      const malformed = explainMalformed(message)
      if (malformed !== undefined) {
        refuse(socket, 400, malformed)
        return false
      }
      due.add(socket, response)
      openRequests.add(message)
      // Node ignores what follows a request to upgrade in the same packet: the client must know.
      if (message.headers.upgrade !== undefined) response.shouldKeepAlive = false
      if (!response.shouldKeepAlive) onLast.add(socket)
      return true
    },
    admitsNoMore: ({ socket }) => ending.add(socket),
    hasGivenUp: (message) => givenUp.has(message),
    endAll() {
      for (const socket of connections) {
        // Requests over TLS are on sockets of their own.
        if (server instanceof Server && !ending.has(socket) && openRequests.hasBegun(socket))
          drop(socket, STOPPED)
        else socket.destroy()
      }
    },
  }
}

const MANY_DUE = `the client asked on while ${MAX_DUE} answers were due`

const STOPPED = 'the server stopped before the end of a request'

/** In the log: a connection that ends so. */
function withoutAnswer(reason: string): LogLine {
  return { level: 'info', event: 'turned-away', status: 0, reason, begun: true }
}

/** Ends a client that does not read its answers; one that waits for an answer may be silent. */
function endSilent(server: Server, requestTimeoutMs: number, isWaiting: (socket: Socket) => boolean): void {
  // Longer than it takes to notice a slow request, so that its client gets an answer.
  server.timeout = Math.min(requestTimeoutMs * 2 + 1000, 2 ** 31 - 1)
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !isWaiting(socket)) socket.destroy()
  })
}

/** @param begun whether it is about a request, and not about a connection without one. Default: true. */
type Refuse = (socket: Socket, status: ReturnType<typeof statusOf>, reason: string, begun?: boolean) => void

/** Refuses what Node cannot read as a request, or does not give to a listener for requests. */
function listenForMalformed(server: Server, refuse: Refuse, openRequests: OpenRequests): void {
  // The stream of a server is a socket, whatever its type says.
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const isOfParser = error.code?.startsWith('HPE_') ?? false
    refuse(socket, statusOf(error), explainRejection(error), isOfParser || openRequests.hasBegun(socket))
  })
  // Without a listener Node ends the connection without an answer.
  server.on('connect', (_, socket) => {
    // Node has let go of it: while answers are due before, no one else learns that the client is gone.
    socket.on('error', () => socket.destroy())
    refuse(socket as Socket, 400, 'this is no proxy')
  })
}
