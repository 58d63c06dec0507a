import type { HeaderList } from '../../spec/types.js'
import type { Exchange, WireRequest } from '../exchange.js'
import type { Outcome } from './attempt.js'
import type { ConnectionOptions, DispatchOptions } from './connection.js'
import { Connections } from './connections.js'

/** What came of sending a request once. */
export interface Sending extends Omit<Exchange, 'resent'> {
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
      connection.send(this.#options(request), ({ reusable, ...came }: Outcome, reused) => {
        const durationMs = performance.now() - begin
        this.#connections.takeBack(connection, reusable)
        resolve({ request, ...came, startedAt, receivedAt: Date.now(), durationMs, reused })
      })
    })
  }

  stop(message: string): void {
    this.#connections.stop(message)
  }

  ended(): Promise<void> {
    return this.#connections.ended()
  }

  #options({ method, path, headers, body }: WireRequest): DispatchOptions {
    const flat = [...this.#headers]
    for (const [name, value] of headers) flat.push(name, value)
    return { method, path, headers: flat, body: body ?? null }
  }
}
