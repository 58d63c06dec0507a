import { Connection, type ConnectionOptions } from './connection.js'

/** The connections to one deployment: at most `width`, each lent to one exchange at a time. */
export class Connections {
  readonly #options: ConnectionOptions
  readonly #width: number
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  readonly #ending = new Set<Promise<void>>()

  constructor(options: ConnectionOptions, width: number) {
    this.#options = options
    this.#width = width
  }

  /** `fresh`: one that has carried nothing yet. */
  lend(fresh: boolean): Connection {
    const idle = fresh ? undefined : this.#idle.pop()
    if (idle === undefined && this.#busy.size + this.#idle.length >= this.#width)
      this.#end(this.#idle.shift())
    const connection = idle ?? new Connection(this.#options)
    this.#busy.add(connection)
    return connection
  }

  takeBack(connection: Connection, reusable: boolean): void {
    this.#busy.delete(connection)
    if (reusable) this.#idle.push(connection)
    else this.#end(connection)
  }

  /** Every exchange on its way fails as stopped; every connection ends. */
  stop(message: string): void {
    for (const connection of this.#busy) connection.stop(message)
    for (const connection of this.#idle.splice(0)) this.#end(connection)
  }

  /** Resolves when every connection that was to end has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending)
  }

  #end(connection: Connection | undefined): void {
    if (connection === undefined) return
    const ending: Promise<void> = connection.destroy().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}
