import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Dispatch } from './dispatch.js'
import { createGatekeeper } from './gatekeeper.js'
import { describeFailure, type LogSink } from './log.js'
import type { FullOptions } from './options.js'
import { announcesTooMuch, receiveRequest } from './received-request.js'

/** Connections at a time; further ones are dropped. */
const connectionsAtOnce = 2048
/** How long requests in progress may take when the server stops. */
const graceMs = 2000

export interface HttpServer {
  /**
   * Fulfilled with the port.
   * @throws the system's error when it cannot listen.
   */
  listen(port: number, host: string): Promise<number>
  isClosing(): boolean
  /** Fulfilled when no connection is left; the same promise each time. */
  close(): Promise<void>
}

export interface HttpServerOptions
  extends Pick<FullOptions, 'bodyLimitBytes' | 'requestTimeoutMs' | 'headersTimeoutMs'> {
  readonly log: LogSink
}

/** The sockets' side of the server: limits, time-outs, and an end that is prompt. */
export function createHttpServer(
  dispatch: (server: Pick<HttpServer, 'isClosing'>) => Dispatch,
  { bodyLimitBytes, requestTimeoutMs, headersTimeoutMs, log }: HttpServerOptions,
): HttpServer {
  let closing: Promise<void> | undefined
  let becomeIdle = (): void => undefined
  /** Requests in progress, by connection: an answer that is queued when its connection ends never says so. */
  const inProgress = new Map<Socket, number>()
  const count = (socket: Socket, change: number): void => {
    const requests = (inProgress.get(socket) ?? 0) + change
    if (requests > 0 && !socket.destroyed) inProgress.set(socket, requests)
    else inProgress.delete(socket)
    if (inProgress.size === 0) becomeIdle()
  }
  const isClosing = (): boolean => closing !== undefined
  const answer = dispatch({ isClosing })

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A client that goes away is its own business; without a listener it would be our exception.
    message.on('error', () => undefined)
    response.on('error', () => undefined)
    if (!gatekeeper.admits(message, response)) return
    const request = await receiveRequest(message, bodyLimitBytes)
    if (request === undefined) return
    if (request.bodyTooLong) gatekeeper.admitsNoMore(message)
    count(message.socket, 1)
    await answer(message, response, request)
    count(message.socket, -1)
  }

  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // Node looks for slow clients every 30 s unless told.
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs, requestTimeoutMs),
    maxHeaderSize: 16_384,
  })
  server.maxConnections = connectionsAtOnce
  // A client may end its side once it has asked (RFC 9112 9.6). Node has no documented name for it, and without it
  // drops a request whose end and the connection's arrive together.
  Object.assign(server, { httpAllowHalfOpen: true })
  const gatekeeper = createGatekeeper(server, requestTimeoutMs, log)
  server.on('connection', (socket) => socket.once('close', () => count(socket, Number.NEGATIVE_INFINITY)))
  server.on('request', serve)
  server.on('checkContinue', (message, response) => {
    if (!announcesTooMuch(message, bodyLimitBytes)) response.writeContinue()
    void serve(message, response)
  })

  const stop = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()))
    if (inProgress.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs)
        becomeIdle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    // Idle connections too: Node counts a client that connected and said nothing as busy.
    gatekeeper.endAll()
    await ended
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          // Running out of file descriptors must not end the process.
          server.on('error', (error) =>
            log({ level: 'error', event: 'server-error', ...describeFailure(error) }),
          )
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    isClosing,
    close: () => {
      closing ??= stop()
      return closing
    },
  }
}
