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

/** What this process has had: it may listen there only later. */
const given = new Set<number>()

/** Ports that were free a moment ago, for a service that takes its port from its caller; each is given once. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(FROM, TO)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
