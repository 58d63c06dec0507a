import { connect as connectTcp, isIP, Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls'
import type { ExchangeFailure } from '../../exchange/exchange.js'
import type { ConnectionWatch } from './connection-watch.js'
import type { RelayRefusal } from './request-guard.js'

export interface ConnectionSettings {
  readonly target: {
    readonly host: string
    readonly port: number
    /** Absent: plain TCP. */
    readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>
  }
  readonly connectTimeoutMs: number
  /** A connection without a byte for this long is closed. */
  readonly idleTimeoutMs: number
  readonly watch: () => ConnectionWatch
  /** What the user should know; the same may be reported often. */
  readonly onTrouble: (message: string) => void
  readonly onRefused: () => void
}

const ABANDONED: ExchangeFailure = { kind: 'abandoned', message: 'no answer was awaited' }

/**
 * One client with a connection of its own to the target, made once there is something to pass on. What comes from one side
 * is written to the other, as it is and in its order; a peer that reads slowly slows its counterpart down, and the end of
 * one side ends the other's.
 */
export class RelayedConnection {
  readonly watch: ConnectionWatch
  readonly #client: Socket
  readonly #settings: ConnectionSettings
  /** After each part of an answer. */
  readonly #onPart: () => void
  #opened: Socket | undefined
  #isConnected = false
  #isOver = false
  #clientEnded = false
  /** Why what has no answer gets none: the first thing that ended the connection. */
  #why: ExchangeFailure | undefined
  #problem: NodeJS.ErrnoException | undefined

  constructor(client: Socket, settings: ConnectionSettings, onPart: () => void) {
    this.#client = client
    this.#settings = settings
    this.#onPart = onPart
    this.watch = settings.watch()
    this.#followClient()
    client.setTimeout(settings.idleTimeoutMs, () => {
      settings.onTrouble(
        `a connection without a byte for ${settings.idleTimeoutMs / 1000} seconds was closed`,
      )
      this.close('now')
    })
  }

  /** Ends both sides. @param how `flushed`: what is written is sent first */
  close(how: 'now' | 'flushed'): void {
    this.#why ??= ABANDONED
    for (const socket of [this.#client, this.#opened])
      if (how === 'now') socket?.destroy()
      else socket?.destroySoon()
    // The caller may ask at once what went by.
    if (how === 'now') this.#over()
  }

  get #service(): Socket {
    if (this.#opened !== undefined) return this.#opened
    this.#opened = openTarget(this.#settings, () => {
      this.#isConnected = true
    })
    this.#followService(this.#opened)
    return this.#opened
  }

  #followClient(): void {
    const client = this.#client
    client.on('data', (bytes: Buffer) => {
      if (this.watch.refusal !== undefined) return
      const passing = this.watch.fromClient(bytes)
      if (passing.length > 0 && !this.#service.write(passing)) client.pause()
      if (this.watch.refusal !== undefined) this.#refuse(this.watch.refusal)
    })
    client.on('drain', () => this.#opened?.resume())
    client.on('end', () => {
      this.#clientEnded = true
      if (this.watch.refusal !== undefined) return
      const rest = this.watch.clientEnded()
      if (this.watch.refusal !== undefined) return this.#refuse(this.watch.refusal)
      if (rest.length > 0) this.#service.write(rest)
      if (this.#opened === undefined) client.end()
      else this.#opened.end()
    })
    client.on('error', () => undefined)
    client.on('close', (hadError) => {
      this.#over()
      if (hadError && this.#opened !== undefined) reset(this.#opened)
      else this.#opened?.destroySoon()
    })
  }

  #followService(service: Socket): void {
    const client = this.#client
    service.on('drain', () => client.resume())
    service.on('data', (bytes: Buffer) => {
      if (client.destroyed) return
      if (!client.write(bytes)) service.pause()
      this.watch.fromService(bytes)
      this.#onPart()
    })
    service.on('end', () => {
      this.watch.serviceEnded()
      this.#endedByService('the service closed the connection without an answer')
      client.end()
    })
    service.on('error', (error) => {
      this.#problem = error
    })
    service.on('close', (hadError) => {
      const why = describe(this.#problem)
      const unreachable = `the service could not be reached: ${why}`
      if (!this.#isConnected && !client.destroyed) this.#settings.onTrouble(unreachable)
      this.#endedByService(this.#isConnected ? `the connection ended: ${why}` : unreachable)
      if (hadError) reset(client)
      else client.destroySoon()
    })
  }

  #over(): void {
    if (!this.#isOver) this.watch.over(this.#why ?? ABANDONED)
    this.#isOver = true
  }

  #endedByService(message: string): void {
    // Some services hang up on a client that has ended its side: RFC 9112, section 9.6 lets both.
    this.#why ??= this.#clientEnded ? ABANDONED : { kind: 'reset', message }
  }

  #refuse({ status, why }: RelayRefusal): void {
    this.#settings.onTrouble(`refused: ${why}`)
    this.#settings.onRefused()
    this.#why ??= ABANDONED
    const { isBusy } = this.watch
    this.#opened?.destroy()
    // In the place of an answer that is awaited, this would be taken for it.
    if (isBusy || this.#client.writableEnded) this.#client.destroySoon()
    // It reads on: a reset for bytes that are still coming would overtake the answer.
    else
      this.#client.end(
        `HTTP/1.1 ${status}\r\nContent-Type: text/plain;charset=UTF-8\r\nConnection: close\r\n\r\nToken Assay: ${why}\n`,
      )
  }
}

function openTarget(settings: ConnectionSettings, onConnected: () => void): Socket {
  const { target, connectTimeoutMs } = settings
  const service = beginConnection(target)
  const timer = setTimeout(
    () => service.destroy(new Error(`no connection in ${connectTimeoutMs / 1000} seconds`)),
    connectTimeoutMs,
  )
  service.once(target.tls === undefined ? 'connect' : 'secureConnect', () => {
    clearTimeout(timer)
    onConnected()
  })
  return service.once('close', () => clearTimeout(timer))
}

/** What throws as it is begun, such as a certificate that cannot be used, is the end of this connection alone. */
function beginConnection({ host, port, tls }: ConnectionSettings['target']): Socket {
  const common = { host, port, allowHalfOpen: true, noDelay: true }
  try {
    if (tls === undefined) return connectTcp(common)
    return connectTls({
      ...common,
      ...tls,
      ALPNProtocols: ['http/1.1'],
      // A name alone may be asked for (RFC 6066, section 3).
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
  } catch (error) {
    // Its events come once the caller listens.
    return new Socket().destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

function describe(problem: NodeJS.ErrnoException | undefined): string {
  if (problem === undefined) return 'it was closed'
  const { code, message } = problem
  const isUntrusted = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|UNTRUSTED/.test(code ?? '')
  return `${code ?? message}${isUntrusted ? ': --ca FILE trusts another authority' : ''}`
}

/** As the other side was: a reset is no end. Over TLS there is no such thing. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket || socket.destroyed) socket.destroy()
  else socket.resetAndDestroy()
}
