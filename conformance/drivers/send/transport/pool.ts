import { Connection, type ConnectionOptions } from './connection.js'

/** The connections to one deployment: at most `width`, each lent to one exchange at a time. */
export class ConnectionPool {
  readonly #options: ConnectionOptions
  readonly #width: number
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  readonly #ending = new Set<Promise<void>>()

  constructor(options: ConnectionOptions, width: number) {
    this.#options = options
    this.#width = width
  }

  /** For one exchange, after which it comes back by itself. `maxIdleMs`: 0 for one that has carried nothing yet. */
  lend(maxIdleMs: number): Connection {
    const isWarm = (this.#idle.at(-1)?.idleSince ?? 0) > performance.now() - maxIdleMs
    const idle = maxIdleMs > 0 && isWarm ? this.#idle.pop() : undefined
    if (idle === undefined && this.#busy.size + this.#idle.length >= this.#width)
      this.#end(this.#idle.shift())
    const connection = idle ?? new Connection(this.#options, (...back) => this.#takeBack(...back))
    this.#busy.add(connection)
    return connection
  }

  /** Every exchange under way fails as stopped; every connection ends. */
  stop(message: string): void {
    for (const connection of this.#busy) connection.stop(message)
    for (const connection of this.#idle.splice(0)) this.#end(connection)
  }

  /** Resolves when every connection that was to end has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending)
  }

  #takeBack(connection: Connection, reusable: boolean): void {
    this.#busy.delete(connection)
    if (reusable) this.#idle.push(connection)
    else this.#end(connection)
  }

  #end(connection: Connection | undefined): void {
    if (connection === undefined) return
    const ending: Promise<void> = connection.destroy().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}
