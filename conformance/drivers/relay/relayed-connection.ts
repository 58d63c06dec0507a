import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls'
import type { ExchangeFailure } from '../../exchange/exchange.js'

/** Reads along: every method is called with bytes that pass in any case, and none may throw. */
export interface Watch {
  /** @returns what is passed on */
  fromClient(bytes: Buffer): Buffer
  fromService(bytes: Buffer): void
  /** @returns what is still to be passed on */
  clientEnded(): Buffer
  serviceEnded(): void
  closed(why: ExchangeFailure): void
  /** Why the client is refused; undefined where it is not. */
  readonly refusal: string | undefined
  readonly isBusy: boolean
}

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
  readonly watch: () => Watch
  /** What the user should know; the same may be reported often. */
  readonly onTrouble: (message: string) => void
}

const ABANDONED: ExchangeFailure = { kind: 'abandoned', message: 'no answer was awaited' }

const REFUSAL = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain;charset=UTF-8',
  'Connection: close',
  '',
  'Token Assay: WHY\n',
].join('\r\n')

/**
 * One client with a connection of its own to the target. What comes from one side is written to the other, as it is and in
 * its order; a peer that reads slowly slows its counterpart down, and the end of one side ends the other's.
 */
export class RelayedConnection {
  readonly watch: Watch
  readonly #client: Socket
  readonly #service: Socket
  readonly #settings: ConnectionSettings
  #isConnected = false
  #isOver = false
  #clientEnded = false
  #problem: NodeJS.ErrnoException | undefined

  /** @param onPart after each part of an answer */
  constructor(client: Socket, settings: ConnectionSettings, onPart: () => void) {
    this.#client = client
    this.#settings = settings
    this.watch = settings.watch()
    this.#service = openTarget(settings, () => {
      this.#isConnected = true
    })
    this.#passOn(onPart)
    this.#passEnds()
    client.setTimeout(settings.idleTimeoutMs, () => {
      settings.onTrouble(
        `a connection without a byte for ${settings.idleTimeoutMs / 1000} seconds was closed`,
      )
      this.close('now')
    })
  }

  /** Ends both sides. @param how `flushed`: what is written is sent first */
  close(how: 'now' | 'flushed'): void {
    this.#over(ABANDONED)
    for (const socket of [this.#client, this.#service])
      if (how === 'now') socket.destroy()
      else socket.destroySoon()
  }

  #passOn(onPart: () => void): void {
    const client = this.#client
    const service = this.#service
    client.on('data', (bytes: Buffer) => {
      const passing = this.watch.fromClient(bytes)
      if (passing.length > 0 && !service.write(passing)) client.pause()
      if (this.watch.refusal !== undefined) this.#refuse(this.watch.refusal)
    })
    service.on('drain', () => client.resume())
    service.on('data', (bytes: Buffer) => {
      if (!client.write(bytes)) service.pause()
      this.watch.fromService(bytes)
      onPart()
    })
    client.on('drain', () => service.resume())
  }

  #passEnds(): void {
    const client = this.#client
    const service = this.#service
    client.on('end', () => {
      this.#clientEnded = true
      const rest = this.watch.clientEnded()
      if (rest.length > 0) service.write(rest)
      service.end()
    })
    service.on('end', () => {
      this.watch.serviceEnded()
      this.#overByService('the service closed the connection without an answer')
      client.end()
    })
    client.on('error', () => undefined)
    service.on('error', (error) => {
      this.#problem = error
    })
    client.on('close', (hadError) => {
      this.#over(ABANDONED)
      if (hadError) reset(service)
      else service.destroySoon()
    })
    service.on('close', (hadError) => {
      this.#serviceClosed()
      if (hadError) reset(client)
      else client.destroySoon()
    })
  }

  #serviceClosed(): void {
    const why = describe(this.#problem)
    const unreachable = `the service could not be reached: ${why}`
    if (!this.#isConnected && !this.#client.destroyed) this.#settings.onTrouble(unreachable)
    this.#overByService(this.#isConnected ? `the connection ended: ${why}` : unreachable)
  }

  #over(why: ExchangeFailure): void {
    if (!this.#isOver) this.watch.closed(why)
    this.#isOver = true
  }

  #overByService(message: string): void {
    // Some services hang up on a client that has ended its side: RFC 9112, section 9.6 lets both.
    this.#over(this.#clientEnded ? ABANDONED : { kind: 'reset', message })
  }

  #refuse(why: string): void {
    this.#settings.onTrouble(`refused: ${why}`)
    const { isBusy } = this.watch
    this.#over(ABANDONED)
    this.#service.destroy()
    // In the place of an answer that is awaited, this would be taken for it.
    if (!isBusy && !this.#client.writableEnded) this.#client.end(REFUSAL.replace('WHY', why))
    this.#client.destroySoon()
  }
}

function openTarget({ target, connectTimeoutMs }: ConnectionSettings, onConnected: () => void): Socket {
  const { host, port, tls } = target
  const common = { host, port, allowHalfOpen: true, noDelay: true }
  const service =
    tls === undefined
      ? connectTcp(common)
      : connectTls({
          ...common,
          ...tls,
          ALPNProtocols: ['http/1.1'],
          // A name alone may be asked for (RFC 6066, section 3).
          ...(isIP(host) === 0 ? { servername: host } : {}),
        })
  const timer = setTimeout(
    () => service.destroy(new Error(`no connection in ${connectTimeoutMs / 1000} seconds`)),
    connectTimeoutMs,
  )
  service.once(tls === undefined ? 'connect' : 'secureConnect', () => {
    clearTimeout(timer)
    onConnected()
  })
  return service.once('close', () => clearTimeout(timer))
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
