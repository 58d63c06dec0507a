import net from 'node:net'
import tls from 'node:tls'
import type { Tls } from '../deployment.js'
import { Attempt, type Controller, type Outcome } from './attempt.js'
import { showContinueAsProcessing } from './continue.js'

/** The part of undici's `Client` that is used: one connection at a time, made anew when the old one has ended. */
export interface Transport {
  dispatch(options: DispatchOptions, handler: Handler): boolean
  destroy(error: Error): Promise<void>
}

export interface DispatchOptions {
  readonly method: string
  readonly path: string
  readonly headers: string[]
  readonly body: Uint8Array | null
}

interface Handler {
  onRequestStart(controller: Controller): void
  onResponseStarted(): void
  onResponseStart(controller: Controller, status: number): void
  onResponseData(controller: Controller, chunk: Buffer): void
  onResponseEnd(controller: Controller): void
  onResponseError(controller: Controller, error: Error): void
}

interface Endpoint {
  readonly protocol: string
  readonly hostname: string
  readonly port: string
  readonly servername?: string
}

/** How undici asks for a socket. */
export type Connector = (
  endpoint: Endpoint,
  callback: (...result: [null, net.Socket] | [Error, null]) => void,
) => void

export interface ConnectionOptions {
  readonly transport: (connector: Connector) => Transport
  readonly tls?: Tls
  readonly secure: boolean
  readonly timeoutMs: number
  readonly maxBodyBytes: number
}

/** One connection to the deployment, carrying one exchange at a time. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #transport: Transport
  #socket: net.Socket | undefined
  #attempt: Attempt | undefined
  #answered = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#transport = options.transport((endpoint, callback) => this.#connect(endpoint, callback))
  }

  /** Sends; `settled` is called once, with what came and whether the connection had carried an exchange before. */
  send(request: DispatchOptions, settled: (outcome: Outcome, reused: boolean) => void): void {
    const { maxBodyBytes, secure, timeoutMs } = this.#options
    let reused = false
    const began = () => {
      reused = this.#answered > 0
    }
    this.#attempt = new Attempt(maxBodyBytes, secure, timeoutMs, began, (outcome) => {
      this.#attempt = undefined
      this.#answered++
      settled(outcome, reused)
    })
    this.#transport.dispatch(request, this.#attempt)
  }

  stop(message: string): void {
    this.#attempt?.fail('stopped', message)
  }

  /** Leaves no socket behind, also none that is still being connected. */
  async destroy(): Promise<void> {
    const ended = this.#transport.destroy(new Error('done'))
    this.#socket?.destroy()
    await ended
  }

  #connect(endpoint: Endpoint, callback: Parameters<Connector>[1]): void {
    this.#answered = 0
    const secure = endpoint.protocol === 'https:'
    const socket = secure ? this.#connectTls(endpoint) : net.connect(target(endpoint, 80))
    this.#socket = socket
    showContinueAsProcessing(socket, () => this.#attempt?.progress !== 'headers')
    socket.setNoDelay(true)
    let called = false
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      called = true
      callback(null, socket)
    })
    const refused = (error: Error) => {
      if (called) return
      called = true
      callback(error, null)
    }
    socket.on('error', refused)
    socket.once('close', () => refused(new Error('closed')))
  }

  #connectTls(endpoint: Endpoint): net.Socket {
    const { ca, cert, key, rejectUnauthorized = true } = this.#options.tls ?? {}
    return tls.connect({
      ...target(endpoint, 443),
      // An address is no server name (RFC 6066 3).
      servername: endpoint.servername ?? (net.isIP(endpoint.hostname) === 0 ? endpoint.hostname : ''),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    })
  }
}

function target(endpoint: Endpoint, defaultPort: number): { host: string; port: number } {
  return { host: endpoint.hostname, port: endpoint.port === '' ? defaultPort : Number(endpoint.port) }
}
