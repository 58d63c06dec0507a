import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type ConnectionSettings, RelayedConnection } from './relayed-connection.js'

export interface RelayOptions extends ConnectionSettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** In PEM: what the relay itself serves https by. Absent: plain TCP. */
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Connections at a time; further ones are closed. */
  readonly connections: number
}

export interface Relay {
  readonly port: number
  /** Takes no more connections; answers on their way have this long. */
  close(graceMs: number): Promise<void>
}

const HANDSHAKE_TIMEOUT_MS = 10_000

/**
 * Joins each client with a connection of its own to the target.
 * @throws the system's error when it cannot listen
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { connections, onTrouble } = options
  const open = new Set<RelayedConnection>()
  /** Over TLS, before the handshake is done, nothing else knows of them. */
  const sockets = new Set<Socket>()
  let isClosing = false
  let onEmpty = (): void => undefined
  const server = openServer(options, (client) => {
    const connection = new RelayedConnection(client, options, () => {
      if (isClosing && !connection.watch.isBusy) connection.close('flushed')
    })
    open.add(connection)
    client.once('close', () => {
      open.delete(connection)
      if (open.size === 0) onEmpty()
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.maxConnections = connections
  server.on('drop', () =>
    onTrouble(`more than ${connections} connections at a time: further ones are closed`),
  )
  return {
    port: await listen(server, options),
    async close(graceMs) {
      isClosing = true
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of open) if (!connection.watch.isBusy) connection.close('flushed')
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs)
          onEmpty = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      for (const connection of open) connection.close('now')
      for (const socket of sockets) socket.destroy()
      await ended
    },
  }
}

/** @returns the port */
async function listen(server: Server, { port, host, onTrouble }: RelayOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (error) => onTrouble(`a connection was not accepted: ${error.message}`))
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
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
  // A client that does not trust the certificate, or never ends its handshake, takes no further room.
  server.on('tlsClientError', (_, client) => client.destroy())
  return server
}
