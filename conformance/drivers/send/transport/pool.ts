import { Connection, type ConnectionOptions } from './connection.js'

/** Then another takes its place: of two nodes behind a balancer each answers a part of every case. */
const MAX_CARRIED = 32

/** Exchanges that share a connection: what each of them left is kept for the next one of this name. */
export interface Sharing {
  /** Use what was kept for it, where that is still there. */
  readonly keptFor?: string | undefined
  /** Keep the connection for the next one, and lend it to no other. */
  readonly keepFor?: string | undefined
}

/**
 * The connections to one deployment: at most `width`, each lent to one exchange at a time. They are lent in turn, as a
 * balancer may tie each to a node.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions
  readonly #width: number
  readonly #idle: Connection[] = []
  /** With the name that each is then kept for. */
  readonly #busy = new Map<Connection, string | undefined>()
  readonly #kept = new Map<string, Connection>()
  /** Most connections that there were at a time. */
  #widest = 0
  readonly #ending = new Set<Promise<void>>()

  constructor(options: ConnectionOptions, width: number) {
    this.#options = options
    this.#width = width
  }

  /** For one exchange, after which it comes back by itself. `maxIdleMs`: 0 for one that has carried nothing yet. */
  lend(maxIdleMs: number, { keptFor = '', keepFor }: Sharing = {}): Connection {
    const kept = this.#kept.get(keptFor)
    this.#kept.delete(keptFor)
    // One that is to be kept has carried nothing of others.
    const connection = kept ?? this.#idleOrNew(keepFor === undefined ? maxIdleMs : 0)
    // Of one connection none can be kept back: there, all share it.
    this.#busy.set(connection, this.#width > 1 ? keepFor : undefined)
    this.#widest = Math.max(this.#widest, this.#busy.size + this.#idle.length)
    return connection
  }

  #idleOrNew(maxIdleMs: number): Connection {
    const since = performance.now() - maxIdleMs
    // One that has ended has another in its place, so that there are always as many to take turns.
    const isUsable = maxIdleMs > 0 && this.#busy.size + this.#idle.length >= this.#widest
    const warm = isUsable ? this.#idle.findIndex(({ idleSince }) => idleSince > since) : -1
    const [idle] = warm < 0 ? [] : this.#idle.splice(warm, 1)
    if (idle === undefined && this.#busy.size + this.#idle.length >= this.#width)
      this.#end(this.#idle.shift())
    return idle ?? new Connection(this.#options, (...back) => this.#takeBack(...back))
  }

  /** Every exchange under way fails as stopped; every connection ends. */
  stop(message: string): void {
    for (const connection of this.#busy.keys()) connection.stop(message)
    for (const connection of [...this.#idle.splice(0), ...this.#kept.values()]) this.#end(connection)
    this.#kept.clear()
  }

  /** Resolves when every connection that was to end has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending)
  }

  #takeBack(connection: Connection, reusable: boolean): void {
    const keepFor = this.#busy.get(connection)
    this.#busy.delete(connection)
    if (!reusable || connection.carried >= MAX_CARRIED) this.#end(connection)
    else if (keepFor === undefined) this.#idle.push(connection)
    else {
      this.#end(this.#kept.get(keepFor))
      this.#kept.set(keepFor, connection)
    }
  }

  #end(connection: Connection | undefined): void {
    if (connection === undefined) return
    const ending: Promise<void> = connection.destroy().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}
