import net from 'node:net'
import type { Readable } from 'node:stream'
import tls from 'node:tls'
import type { buildConnector } from 'undici'
// Its index would load a hundred modules more, of fetch and web sockets, at each start.
import Client from 'undici/lib/dispatcher/client.js'
import type { HeaderList } from '../../../../spec/model/report.js'
import { clockSet } from '../../../exchange/clock-set.js'
import type { Exchange, WireRequest } from '../../../exchange/exchange.js'
import { headerValues } from '../../../exchange/headers.js'
import type { Tls } from '../../../target/deployment.js'
import { heldBack, type Place } from './barrier.js'
import { ExchangeHandler } from './exchange-handler.js'
import { ReadableHeads } from './readable-heads.js'
import { AnswerEnd, isStray } from './stray-bytes.js'

export interface ConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string
  readonly tls?: Tls
  /** Sent with every request, before the request's own. */
  readonly headers: HeaderList
  /** For one exchange, all of it. */
  readonly timeoutMs: number
  /** Longest decoded body that is kept. */
  readonly maxBodyBytes: number
  /** Called when bytes come while no answer is awaited. */
  readonly onStray?: () => void
}

/** What came of sending a request once. */
export interface ExchangeResult {
  readonly exchange: Exchange
  /** The connection had carried an exchange before. */
  readonly reused: boolean
}

const PRECEDED =
  'An empty line precedes the first answer on a connection: curl, Python and Java find no answer in it.'
const FOLLOWED =
  'Bytes that belong to no answer follow the answer: its Content-Length is too small, or more than one answer came.'

/** The latest TLS session of a deployment: a further connection resumes it, without another full handshake. */
const SESSIONS = new WeakMap<ConnectionOptions, Buffer>()

/** No one reads it: one for all needs no stack for each. */
const DONE = new Error('done')

/** One connection to the deployment, carrying one exchange at a time, and made anew when the old one has ended. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #release: (connection: Connection, reusable: boolean) => void
  readonly #headers: readonly string[]
  readonly #client: Client
  #socket: net.Socket | undefined
  #handler: ExchangeHandler | undefined
  #heads: ReadableHeads | undefined
  #answerEnd: AnswerEnd | undefined
  /** Exchanges so far. */
  carried = 0
  /** When it last came back, by `performance.now()`. */
  idleSince = 0

  /** `release` is called after each exchange. */
  constructor(options: ConnectionOptions, release: (connection: Connection, reusable: boolean) => void) {
    this.#options = options
    this.#release = release
    this.#headers = options.headers.flat()
    this.#client = new Client(options.origin, {
      connect: (endpoint, callback) => this.#connect(endpoint, callback),
      pipelining: 1,
      // Its own time-outs are coarse, and off: every exchange has our deadline, which ends the connection.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** With a `place` in a race, the last byte of the body waits there for other requests. */
  send(request: WireRequest, place?: Place): Promise<ExchangeResult> {
    const startedAt = Date.now()
    const begin = performance.now()
    return new Promise((resolve) => {
      let reused = false
      this.#heads = new ReadableHeads()
      this.#handler = new ExchangeHandler(this.#options, {
        started: () => {
          reused = this.carried > 0
        },
        settled: (result, reusable) => {
          place?.arrive()
          const durationMs = performance.now() - begin
          const received = { receivedAt: Date.now(), ...clockSet() }
          const exchange = { request, ...result, startedAt, ...received, durationMs }
          const end = (unread: Pick<Exchange, 'unread'>): void => {
            this.#handler = undefined
            this.carried++
            this.idleSince = begin + durationMs
            // A service that sends a body after HEAD is no matter here, and its connection is of no use.
            this.#release(this, reusable && unread.unread === undefined && request.method !== 'HEAD')
            resolve({ exchange: { ...exchange, ...unread }, reused })
          }
          if ('failure' in result) end({})
          // By then undici has parsed the rest of what it has read.
          else if (!reused && this.#heads?.isPreceded) end({ unread: PRECEDED })
          else queueMicrotask(() => end(this.#isFollowed(exchange) ? { unread: FOLLOWED } : {}))
        },
      })
      const headers = [...this.#headers]
      for (const [name, value] of request.headers) headers.push(name, value)
      const { method, path } = request
      const body = this.#bodyOf(request, headers, place)
      this.#client.dispatch({ method, path, headers, body }, this.#handler)
    })
  }

  /** Adds to the headers what a body in parts needs. */
  #bodyOf(
    { body, headers: own }: WireRequest,
    headers: string[],
    place: Place | undefined,
  ): Uint8Array | Readable | null {
    if (place === undefined || body === undefined || body.length === 0) return body ?? null
    if (headerValues([...this.#options.headers, ...own], 'content-length').length === 0)
      headers.push('Content-Length', String(body.length))
    // undici takes any iterable (its `isIterable`); its types name the streams alone.
    return heldBack(body, place) as unknown as Readable
  }

  stop(message: string): void {
    this.#handler?.fail('stopped', message)
  }

  /** Leaves no socket behind, also none that is still being connected. */
  async destroy(): Promise<void> {
    const ended = this.#client.destroy(DONE)
    this.#socket?.destroy()
    await ended
  }

  #isFollowed({ request, response }: Exchange): boolean {
    if (request.method === 'HEAD') return false
    // undici ends the connection where one of these has a Content-Length, and drops the rest.
    const isEmpty = response?.status === 204 || response?.status === 304
    return this.#answerEnd?.isFollowed === true || (isEmpty && this.#heads?.isFollowed === true)
  }

  #onRead(chunk: Buffer): void {
    if (this.#handler?.isAwaiting) this.#heads?.rewrite(chunk)
    else if (isStray(chunk)) this.#options.onStray?.()
  }

  #connect(endpoint: buildConnector.Options, callback: buildConnector.Callback): void {
    this.carried = 0
    const secure = endpoint.protocol === 'https:'
    const { hostname: host, port } = endpoint
    const address = { host, port: port === '' ? (secure ? 443 : 80) : Number(port) }
    const socket = secure ? this.#connectTls(address, endpoint.servername) : net.connect(address)
    this.#socket = socket
    this.#answerEnd = new AnswerEnd(socket, (chunk) => this.#onRead(chunk))
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
    socket.on('error', (error) => {
      refused(error)
      // undici takes a reset for the end of an answer without a length.
      if (this.#handler?.progress === 'headers') this.#handler.onError(error)
    })
    socket.once('close', () => refused(new Error('closed')))
  }

  #connectTls(address: { readonly host: string; readonly port: number }, servername?: string): net.Socket {
    const session = SESSIONS.get(this.#options)
    const socket = tls.connect({
      ...address,
      ...(session === undefined ? {} : { session }),
      // An address is no server name (RFC 6066 3).
      servername: servername ?? (net.isIP(address.host) === 0 ? address.host : ''),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      ...this.#options.tls,
    })
    return socket.on('session', (latest) => SESSIONS.set(this.#options, latest))
  }
}
