import { AssayError } from '../../../spec/model/assay-error.js'
import type { Report } from '../../../spec/model/report.js'
import {
  type ExchangeRelay,
  type ExchangeRelayOptions,
  startExchangeRelay,
} from '../../drivers/relay/exchange-relay.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeclaredService } from '../../judge/traffic/declared.js'
import { type AssayOptions, TrafficAssay } from './traffic-assay.js'

export interface ProxyOptions
  extends AssayOptions,
    Omit<ExchangeRelayOptions, 'baseUrl' | 'targetTls' | 'keeps' | 'onTraffic'> {
  /** Each exchange, once it is over. */
  readonly onExchange?: (exchange: Exchange) => void
}

export interface TrafficProxy extends Pick<ExchangeRelay, 'url' | 'port'> {
  /** What has gone by so far; pieces of a connection that are unread, once it is over. @throws what judging threw: bytes pass all the same, but nothing is green by a bug */
  report(): Promise<Report>
  /** Takes no more connections; answers on their way have this long. */
  close(graceMs?: number): Promise<void>
}

/**
 * Listens in place of a service, passes every byte on, and judges what goes by.
 * @throws AssayError for a pattern that matches nothing; the system's error when it cannot listen
 */
export async function startProxy(options: ProxyOptions): Promise<TrafficProxy> {
  const { declared, onExchange } = options
  const assay = new TrafficAssay(options)
  const defects: unknown[] = []
  const relay = await startExchangeRelay({
    ...options,
    baseUrl: declared.baseUrl,
    ...(declared.tls === undefined ? {} : { targetTls: declared.tls }),
    keeps: (path) => assay.keeps(path),
    onTraffic: (traffic) => {
      if (defects.length > 0) return
      try {
        assay.add(traffic)
        if ('request' in traffic) onExchange?.(traffic)
      } catch (defect) {
        defects.push(defect)
      }
    },
  })
  return {
    url: relay.url,
    port: relay.port,
    report: async () => {
      await relay.settled()
      if (defects.length > 0) throw defects[0]
      const { url, connections, refused } = relay
      return assay.report({ url, counted: [`connections: ${connections}`, `refused: ${refused}`] })
    },
    close: (graceMs = 2000) => relay.close(graceMs),
  }
}

/** @throws AssayError `usage` where the proxy would be its own target */
export function refuseLoop({ baseUrl }: DeclaredService, host: string, port: number): void {
  const { hostname, port: targetPort } = new URL(baseUrl)
  if (Number(targetPort) === port && port !== 0 && hostname === host)
    throw new AssayError('usage', `the target is where the proxy listens: --port takes another port`)
}
