import { obtainCertificate, type TlsOptions } from '../../../reference/tls/certificate.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { Report } from '../../../spec/model/report.js'
import { type AssayOptions, TrafficAssay } from '../../assess/traffic/traffic-assay.js'
import type { Declared } from '../../judge/traffic/declared.js'
import { Budget } from './budget.js'
import { ConnectionWatch } from './connection-watch.js'
import { type Relay, startRelay } from './relay.js'
import type { SeenExchange } from './seen-exchange.js'

export interface ProxyOptions extends AssayOptions {
  /** Default: the loopback address. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
  /** What the proxy itself serves by; absent: plain http. */
  readonly tls?: TlsOptions
  /** `Host` is changed to the target's: for services that look at it. */
  readonly rewriteHost?: boolean
  /** What the user should know; nothing is reported twice. */
  readonly onTrouble?: (message: string) => void
  /** Each exchange, once it is over. */
  readonly onExchange?: (seen: SeenExchange) => void
  readonly limits?: Partial<typeof LIMITS>
}

export interface TrafficProxy {
  /** In place of the target's base URL: its path included. */
  readonly url: string
  readonly port: number
  /** PEM, where it serves https. */
  readonly certificate?: string
  /** What has gone by so far. @throws what judging threw: bytes pass all the same, but nothing is green by a bug */
  report(): Promise<Report>
  /** Takes no more connections; answers on their way have so long. */
  close(graceMs?: number): Promise<void>
}

const LIMITS = {
  connections: 512,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  /** Of bodies that are judged, of all connections together. */
  bodyBytes: 64 * 1024 * 1024,
}
/** Different messages of trouble that are reported. */
const MOST_TROUBLES = 50

/**
 * Listens in place of a service, passes every byte on, and judges what goes by.
 * @throws AssayError for a certificate that cannot be used or a pattern that matches nothing; the system's error when it
 *   cannot listen
 */
export async function startProxy(options: ProxyOptions): Promise<TrafficProxy> {
  const { declared, host = '127.0.0.1', port = 0, tls, rewriteHost = false, onTrouble, onExchange } = options
  const limits = { ...LIMITS, ...options.limits }
  const assay = new TrafficAssay(options)
  const target = new URL(declared.baseUrl)
  const budget = new Budget(limits.bodyBytes)
  const reported = new Set<string>()
  const defects: unknown[] = []
  let connections = 0
  const certificate = tls === undefined ? undefined : await obtainCertificate(tls, host)
  const relay: Relay = await startRelay({
    host,
    port,
    ...(certificate === undefined ? {} : { certificate }),
    target: {
      host: target.hostname.replace(/^\[|\]$/g, ''),
      port: Number(target.port) || (target.protocol === 'https:' ? 443 : 80),
      ...(target.protocol === 'https:' ? { tls: declared.tls ?? {} } : {}),
    },
    ...limits,
    onTrouble: (message) => {
      if (reported.has(message) || reported.size >= MOST_TROUBLES) return
      reported.add(message)
      onTrouble?.(message)
    },
    watch: () => {
      connections++
      return new ConnectionWatch({
        keeps: (path) => assay.keeps(path),
        ...(rewriteHost ? { host: target.host } : {}),
        budget,
        now: Date.now,
        onExchange: (seen) => {
          if (defects.length > 0) return
          try {
            assay.onExchange(seen)
            onExchange?.(seen)
          } catch (defect) {
            defects.push(defect)
          }
        },
        onUnreadable: (why) => assay.onUnreadable(why),
      })
    },
  })
  const scheme = certificate === undefined ? 'http' : 'https'
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${relay.port}${target.pathname.replace(/\/$/, '')}`
  return {
    url,
    port: relay.port,
    ...(certificate === undefined ? {} : { certificate: certificate.cert }),
    report: async () => {
      if (defects.length > 0) throw defects[0]
      return assay.report({ url, connections })
    },
    close: (graceMs = 2000) => relay.close(graceMs),
  }
}

/** @throws AssayError `usage` where the proxy would be its own target */
export function refuseLoop({ baseUrl }: Declared, host: string, port: number): void {
  const { hostname, port: targetPort } = new URL(baseUrl)
  if (Number(targetPort) === port && port !== 0 && hostname === host)
    throw new AssayError('usage', `the target is where the proxy listens: --port takes another port`)
}
