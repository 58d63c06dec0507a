import { connect as connectTcp, createServer, isIP, type Server, type Socket } from 'node:net'
import {
  type ConnectionOptions,
  connect as connectTls,
  createServer as createTlsServer,
  TLSSocket,
} from 'node:tls'
import type { NoAnswer } from './seen-exchange.js'

/** Reads along: every method is called with bytes that pass in any case, and none may throw. */
export interface Watch {
  /** @returns what is passed on */
  fromClient(bytes: Buffer): Buffer
  fromService(bytes: Buffer): void
  /** @returns what is still to be passed on */
  clientEnded(): Buffer
  serviceEnded(): void
  closed(why: NoAnswer): void
  /** Why the client is refused; undefined where it is not. */
  readonly refusal: string | undefined
  readonly isBusy: boolean
}

export interface RelayOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** PEM; absent: plain TCP. */
  readonly certificate?: { readonly cert: string; readonly key: string }
  readonly target: {
    readonly host: string
    readonly port: number
    /** Absent: plain TCP. */
    readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized'>
  }
  /** Connections at a time; further ones are closed. */
  readonly connections: number
  readonly connectTimeoutMs: number
  /** A connection without a byte for so long is closed. */
  readonly idleTimeoutMs: number
  readonly watch: () => Watch
  /** What the user should know; the same may be reported often. */
  readonly onTrouble: (message: string) => void
}

export interface Relay {
  readonly port: number
  /** Takes no more connections; those that are busy have so long. */
  close(graceMs: number): Promise<void>
}

interface Connection {
  readonly watch: Watch
  /** Ends both sides, what is written first. */
  readonly end: () => void
  readonly cut: () => void
}

/** A handshake that takes longer is given up. */
const HANDSHAKE_TIMEOUT_MS = 10_000

/**
 * Joins each client with a connection of its own to the target. What comes from one side is written to the other, as it is
 * and in its order; a peer that reads slowly slows its counterpart down, and the end of one side ends the other's.
 * @throws the system's error when it cannot listen
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { port, host, connections, onTrouble } = options
  const open = new Set<Connection>()
  let isClosing = false
  let onEmpty = (): void => undefined
  const accept = (client: Socket): void => {
    const connection = join(client, options, () => {
      if (isClosing && !connection.watch.isBusy) connection.end()
    })
    open.add(connection)
    client.once('close', () => {
      open.delete(connection)
      if (open.size === 0) onEmpty()
    })
  }
  const server = openServer(options, accept)
  server.maxConnections = connections
  server.on('drop', () =>
    onTrouble(`more than ${connections} connections at a time: further ones are closed`),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (error) => onTrouble(`a connection was not accepted: ${error.message}`))
      resolve()
    })
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close(graceMs) {
      isClosing = true
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const { watch, end } of open) if (!watch.isBusy) end()
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs)
          onEmpty = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      for (const { cut } of open) cut()
      await ended
    },
  }
}

function openServer({ certificate }: RelayOptions, accept: (client: Socket) => void): Server {
  if (certificate === undefined) return createServer({ allowHalfOpen: true, noDelay: true }, accept)
  const server = createTlsServer(
    {
      ...certificate,
      allowHalfOpen: true,
      noDelay: true,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      // What the other side speaks is not asked: HTTP/1.1 is what can be read.
      ALPNProtocols: ['http/1.1'],
    },
    accept,
  )
  // A client that does not trust the certificate is its own business.
  server.on('tlsClientError', () => undefined)
  return server
}

function openTarget({ target, connectTimeoutMs }: RelayOptions): Socket {
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
  const stop = (): void => clearTimeout(timer)
  service.once(tls === undefined ? 'connect' : 'secureConnect', stop).once('close', stop)
  return service
}

/** @param onPart after each part of an answer */
function join(client: Socket, options: RelayOptions, onPart: () => void): Connection {
  const { idleTimeoutMs, onTrouble } = options
  const watch = options.watch()
  const service = openTarget(options)
  let isConnected = false
  service.once(options.target.tls === undefined ? 'connect' : 'secureConnect', () => {
    isConnected = true
  })
  let problem: NodeJS.ErrnoException | undefined
  let isOver = false
  let clientEnded = false
  const over = (why: NoAnswer): void => {
    if (!isOver) watch.closed(why)
    isOver = true
  }
  const overByService = (reason: string): void =>
    // Some services hang up on a client that has ended its side: RFC 9112, section 9.6 lets both.
    over(clientEnded ? { by: 'client' } : { by: 'service', reason, closed: true })

  client.on('data', (bytes: Buffer) => {
    const passing = watch.fromClient(bytes)
    if (passing.length > 0 && !service.write(passing)) client.pause()
    if (watch.refusal !== undefined) refuse(watch.refusal)
  })
  service.on('drain', () => client.resume())
  service.on('data', (bytes: Buffer) => {
    if (!client.write(bytes)) service.pause()
    watch.fromService(bytes)
    onPart()
  })
  client.on('drain', () => service.resume())

  client.on('end', () => {
    clientEnded = true
    const rest = watch.clientEnded()
    if (rest.length > 0) service.write(rest)
    service.end()
  })
  service.on('end', () => {
    watch.serviceEnded()
    overByService('the service closed the connection without an answer')
    client.end()
  })
  client.on('error', () => undefined)
  service.on('error', (error) => {
    problem = error
  })
  client.on('close', (hadError) => {
    over({ by: 'client' })
    if (hadError) reset(service)
    else service.destroySoon()
  })
  service.on('close', (hadError) => {
    const why = describe(problem)
    if (!isConnected && !client.destroyed) onTrouble(`the service could not be reached: ${why}`)
    overByService(isConnected ? `the connection ended: ${why}` : `the service could not be reached: ${why}`)
    if (hadError) reset(client)
    else client.destroySoon()
  })
  client.setTimeout(idleTimeoutMs, () => {
    onTrouble(`a connection without a byte for ${idleTimeoutMs / 1000} seconds was closed`)
    close('destroy')
  })

  function close(how: 'destroy' | 'destroySoon'): void {
    over({ by: 'proxy' })
    client[how]()
    service[how]()
  }

  function refuse(why: string): void {
    onTrouble(`refused: ${why}`)
    const isBusy = watch.isBusy
    over({ by: 'proxy' })
    service.destroy()
    // In the place of an answer that is awaited, this would be taken for it.
    if (!isBusy && !client.writableEnded) client.end(REFUSAL.replace('WHY', why))
    client.destroySoon()
  }

  return { watch, end: () => close('destroySoon'), cut: () => close('destroy') }
}

const REFUSAL = [
  'HTTP/1.1 400 Bad Request',
  'Content-Type: text/plain;charset=UTF-8',
  'Connection: close',
  '',
  'Token Assay: WHY\n',
].join('\r\n')

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
