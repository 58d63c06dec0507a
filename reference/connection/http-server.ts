import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { announcesTooMuch, receiveRequest } from '../http/received-request.js'
import { describeFailure, type LogSink } from '../log.js'
import type { FullOptions } from '../options/options.js'
import type { Certificate } from '../tls/certificate.js'
import type { Dispatch } from './dispatch.js'
import { createGatekeeper } from './gatekeeper.js'

export interface HttpServer {
  /**
   * Fulfilled with the port.
   * @throws the system's error when it cannot listen.
   */
  listen(port: number, host: string): Promise<number>
  /**
   * Takes no more connections and closes the idle ones; requests in progress have `graceMs`, by default the configured
   * time. Fulfilled when no connection is left; the same promise each time.
   */
  close(graceMs?: number): Promise<void>
}

export interface HttpServerOptions
  extends Pick<FullOptions, 'bodyLimitBytes' | 'requestTimeoutMs' | 'headersTimeoutMs' | 'graceMs'> {
  /** Connections at a time; further ones are dropped. Default 2,048. */
  readonly connections?: number
  readonly certificate?: Certificate | undefined
  readonly log: LogSink
}

/** Node treats a longer timer as one of 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The sockets' side of the server: limits, time-outs, and an end that is prompt. */
export function createHttpServer(answer: Dispatch, options: HttpServerOptions): HttpServer {
  const { bodyLimitBytes, requestTimeoutMs, graceMs, connections = 2048, log } = options
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

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Without a listener, a client that disconnects would raise an exception.
    message.on('error', () => undefined)
    response.on('error', () => undefined)
    if (!gatekeeper.admits(message, response)) return
    const request = await receiveRequest(message, bodyLimitBytes)
    if (request === undefined || gatekeeper.hasGivenUp(message)) return
    if (request.bodyTooLong || !response.shouldKeepAlive) gatekeeper.admitsNoMore(message)
    count(message.socket, 1)
    await answer(message, response, request)
    count(message.socket, -1)
  }

  const server = openServer(options)
  server.maxConnections = connections
  // A client may end its side once it has asked (RFC 9112 9.6). Node has no documented name for it, and without it
  // drops a request whose end and the connection's arrive together.
  Object.assign(server, { httpAllowHalfOpen: true })
  const gatekeeper = createGatekeeper(server, requestTimeoutMs, log)
  const forget = (socket: Socket): void => {
    socket.once('close', () => count(socket, Number.NEGATIVE_INFINITY))
  }
  server.on('connection', forget).on('secureConnection', forget)
  server.on('request', serve)
  // An unknown expectation is ignored (RFC 9110 10.1.1): Node would leave the body unread.
  server.on('checkExpectation', serve)
  server.on('checkContinue', (message, response) => {
    if (!announcesTooMuch(message, bodyLimitBytes)) response.writeContinue()
    void serve(message, response)
  })

  let endGrace = (): void => undefined
  const stop = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()))
    if (inProgress.size > 0)
      await new Promise<void>((resolve) => {
        becomeIdle = resolve
        endGrace = resolve
      })
    // All of them: Node does not track a connection during its TLS handshake, and counts a silent one as busy.
    gatekeeper.endAll()
    await ended
  }
  /** A later call may shorten the grace period, never extend it. */
  const limitGrace = (ms: number): void => {
    const timer = setTimeout(() => endGrace(), Math.min(ms, MAX_TIMER_MS))
    void closing?.then(() => clearTimeout(timer))
  }

  return {
    listen: (port, host) => listen(server, port, host, log),
    close: (graceMsNow = graceMs) => {
      closing ??= stop()
      limitGrace(graceMsNow)
      return closing
    },
  }
}

function listen(server: Server, port: number, host: string, log: LogSink): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      // Running out of file descriptors must not end the process.
      server.on('error', (error) => log({ level: 'error', event: 'server-error', ...describeFailure(error) }))
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function openServer({ requestTimeoutMs, headersTimeoutMs, certificate }: HttpServerOptions): Server {
  const limits = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // By default Node looks for slow clients every 30 s.
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs, requestTimeoutMs),
    maxHeaderSize: 16_384,
    // The gatekeeper asks for it.
    requireHostHeader: false,
  }
  if (certificate === undefined) return createServer(limits)
  return createSecureServer({ ...limits, ...certificate, handshakeTimeout: headersTimeoutMs })
}
