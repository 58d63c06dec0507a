import type { HeaderList } from '../../spec/types.js'
import type { Exchange, ExchangeFailure, WireRequest } from '../exchange.js'
import type { ConnectionOptions, DispatchOptions } from './connection.js'
import { Connections } from './connections.js'

/** What came of sending a request once. */
export interface Sending {
  readonly exchange: Exchange
  /** The connection had carried an exchange before. */
  readonly reused: boolean
}

/** Sends requests to one deployment, each exactly once. */
export class Sender {
  readonly #connections: Connections
  readonly #headers: readonly string[]

  constructor(options: ConnectionOptions, width: number, headers: HeaderList) {
    this.#connections = new Connections(options, width)
    this.#headers = headers.flat()
  }

  send(request: WireRequest, fresh: boolean): Promise<Sending> {
    const connection = this.#connections.lend(fresh)
    const startedAt = Date.now()
    const begin = performance.now()
    return new Promise((resolve) => {
      connection.send(this.#options(request), ({ answer, reusable }, reused) => {
        const durationMs = performance.now() - begin
        this.#connections.takeBack(connection, reusable)
        const exchange = { request, ...answer, startedAt, receivedAt: Date.now(), durationMs }
        resolve({ exchange, reused })
      })
    })
  }

  stop(message: string): void {
    this.#connections.stop(message)
  }

  /** Resolves when every connection that was to end has ended. */
  ended(): Promise<void> {
    return this.#connections.ended()
  }

  #options({ method, path, headers, body }: WireRequest): DispatchOptions {
    const flat = [...this.#headers]
    for (const [name, value] of headers) flat.push(name, value)
    return { method, path, headers: flat, body: body ?? null }
  }
}

/** One that never left. */
export function unsent(request: WireRequest, failure: ExchangeFailure): Exchange {
  const now = Date.now()
  return { request, failure, startedAt: now, receivedAt: now, durationMs: 0 }
}
