import { clockSet } from '../../exchange/clock-set.js'
import { decode } from '../../exchange/decode.js'
import type { Exchange, UnreadPiece } from '../../exchange/exchange.js'
import { codingsOf } from '../../exchange/headers.js'
import { ConnectionWatch } from './connection-watch.js'
import { ANSWER_LIMIT, Budget } from './pending-exchange.js'
import { type Relay, type RelayOptions, startRelay } from './relay.js'
import type { ConnectionSettings } from './relayed-connection.js'
import { isLoopback, nameOf } from './request-guard.js'

/** Default of `host`: the loopback address; of `port`: a free one. */
export interface ExchangeRelayOptions extends Partial<Pick<RelayOptions, 'host' | 'port' | 'certificate'>> {
  /** Of the service behind the relay. */
  readonly baseUrl: string
  /** For a service of https. */
  readonly targetTls?: ConnectionSettings['target']['tls']
  /** `Host` is changed to the target's: for services that look at it. */
  readonly rewriteHost?: boolean
  /** Names of `Host` that may pass on loopback, besides its own and the target's; `*` is any. */
  readonly allowHosts?: readonly string[]
  /** Whether pages of other sites may send requests on loopback. */
  readonly allowCrossSite?: boolean
  readonly limits?: Partial<typeof LIMITS>
  /** Whether the bodies of a request to this path and of its answer are kept. */
  readonly keeps: (path: string) => boolean
  /** Each exchange, once it is over, and each piece of a connection that is in none, once the connection is over. */
  readonly onTraffic: (traffic: Exchange | UnreadPiece) => void
  /** What the user should know; nothing is reported twice. */
  readonly onTrouble?: (message: string) => void
}

export interface ExchangeRelay extends Relay {
  /** In place of the target's base URL: its path included. */
  readonly url: string
  readonly connections: number
  /** Requests so far that were not passed on. */
  readonly refused: number
  /** Waits for exchanges that are over and not yet yielded. */
  settled(): Promise<void>
}

const LIMITS = {
  connections: 512,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  /** Of what is held until it can be judged, of all connections together. */
  bodyBytes: 64 * 1024 * 1024,
}
/** Different messages of trouble that are reported. */
const MAX_TROUBLES = 50

/**
 * Listens in place of a service, passes every byte on, and yields what went by.
 * @throws the system's error when it cannot listen
 */
export async function startExchangeRelay(options: ExchangeRelayOptions): Promise<ExchangeRelay> {
  const { baseUrl, targetTls = {}, host = '127.0.0.1', port = 0, certificate, rewriteHost = false } = options
  const { keeps, onTraffic, allowHosts = [], allowCrossSite = false } = options
  const limits = { ...LIMITS, ...options.limits }
  const target = new URL(baseUrl)
  const isHttps = target.protocol === 'https:'
  const budget = new Budget(limits.bodyBytes)
  const decoding = new Set<Promise<void>>()
  let connections = 0
  let refused = 0
  const guard = {
    hosts: [host, target.hostname, ...allowHosts].map((name) => nameOf(name.toLowerCase())),
    allowsCrossSite: allowCrossSite,
  }
  const yieldDecoded = (exchange: Exchange): void => {
    if (!isEncoded(exchange)) {
      onTraffic(exchange)
      return
    }
    const done = decoded(exchange).then((readable) => {
      decoding.delete(done)
      onTraffic(readable)
    })
    decoding.add(done)
  }
  const relay = await startRelay({
    host,
    port,
    ...(certificate === undefined ? {} : { certificate }),
    target: {
      host: target.hostname.replace(/^\[|\]$/g, ''),
      port: Number(target.port) || (isHttps ? 443 : 80),
      ...(isHttps ? { tls: targetTls } : {}),
    },
    ...limits,
    onTrouble: once(options.onTrouble),
    onRefused: () => refused++,
    watch: () => {
      connections++
      return new ConnectionWatch({
        keeps,
        ...(rewriteHost ? { host: target.host } : {}),
        ...(isLoopback(host) ? { guard } : {}),
        budget,
        now: Date.now,
        onExchange: (exchange) => yieldDecoded({ ...exchange, ...clockSet() }),
        onUnread: onTraffic,
      })
    },
  })
  const origin = `${certificate === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}`
  return {
    url: `${origin}:${relay.port}${target.pathname.replace(/\/$/, '')}`,
    port: relay.port,
    get connections() {
      return connections
    },
    get refused() {
      return refused
    },
    settled: async () => void (await Promise.all(decoding)),
    close: (graceMs) => relay.close(graceMs),
  }
}

function isEncoded({ response }: Exchange): boolean {
  if (response === undefined || response.truncated || response.body.length === 0) return false
  return codingsOf(response.headers).length > 0
}

async function decoded(exchange: Exchange): Promise<Exchange> {
  const { response } = exchange
  if (response === undefined) return exchange
  const read = await decode(response.body, codingsOf(response.headers), ANSWER_LIMIT, false)
  return 'failure' in read
    ? {
        ...exchange,
        // What there was to read is not known.
        response: { ...response, body: new Uint8Array(), truncated: true },
        failure: { kind: 'encoding', message: read.failure },
      }
    : { ...exchange, response: { ...response, ...read } }
}

function once(onTrouble: (message: string) => void = () => undefined): (message: string) => void {
  const reported = new Set<string>()
  return (message) => {
    if (reported.has(message) || reported.size >= MAX_TROUBLES) return
    reported.add(message)
    onTrouble(message)
  }
}
