import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, Server as HttpServer, type RequestListener } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'

/** A server that listens on a free port of the loopback interface. */
export interface Running extends AsyncDisposable {
  /** The base URL: `/Token` is below it. */
  readonly url: string
}

/** Lets a server, or one that only answers requests, listen until disposed of; its connections end then. */
export async function listen(served: net.Server | RequestListener): Promise<Running> {
  const server = served instanceof net.Server ? served : createServer(served)
  // On a busy machine a client may let a connection idle for longer than Node's five seconds.
  if (server instanceof HttpServer) server.keepAliveTimeout = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Below those that systems give to outgoing connections, which a busy machine makes thousands of. */
const [FROM, TO] = [20_000, 32_000]

/**
 * Ports for services that take theirs from their caller. Each is given once, while this process lives: it listens at the port
 * above, where another process, or another call, that is about to give the same fails.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = FROM + 2 * randomInt((TO - FROM) / 2)
    if ((await take(port + 1)) === undefined) continue
    const server = await take(port)
    if (server === undefined) continue
    server.close()
    await once(server, 'close')
    ports.push(port)
  }
  return ports
}

/** Listens at a port until the process ends, where no one else does. */
async function take(port: number): Promise<net.Server | undefined> {
  const server = net.createServer().unref().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}
