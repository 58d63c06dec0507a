import { createServer } from 'node:http'
import type { Report } from '../../spec/model/report.js'
import { DueAnswers } from '../guard/due-answers.js'
import { createGuard } from '../guard/guard.js'
import { send } from './answers.js'
import type { Ports } from './ports.js'
import { DOCUMENTS, routes } from './routes.js'
import { createSession } from './session.js'
import type { Setup } from './setup/setup.js'

export interface PageServer {
  /** With the key: what a person opens. */
  readonly address: string
  readonly port: number
  /** Stops what runs, disconnects all pages. @returns the partial report of a run that was stopped */
  close(): Promise<Report | undefined>
}

export interface PageOptions {
  readonly ports: Ports
  readonly setup: Setup
  /** 0: any that is free. */
  readonly port: number
}

const BEAT_MS = 15_000

/** Serves the page on the loopback address. @throws the system's error when it cannot listen */
export async function startPage({ ports, setup, port }: PageOptions): Promise<PageServer> {
  const session = createSession(ports, setup)
  const app = routes(session, ports, setup)
  const due = new DueAnswers()
  const server = createServer((request, response) => {
    const { method = 'GET', url: target = '/', headers, socket } = request
    if (socket.destroyed || due.isFull(socket)) return void socket.destroy()
    due.add(socket, response)
    const refused = guard.admit({ method, target, headers })
    if (refused !== undefined) send(response, refused)
    else {
      // Polka's own listener calls it without the last parameter that its type asks for.
      request.url = target.slice(guard.home.length - 1)
      Reflect.apply(app.handler, app, [request, response])
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new TypeError('a port was asked for')
  // No request can have come before: this is the same turn of the loop.
  const guard = createGuard({
    port: listening.port,
    documents: DOCUMENTS,
    remedy: 'Open the address that the command prints',
  })
  const beat = setInterval(() => session.feed.beat(), BEAT_MS).unref()
  return {
    address: guard.address,
    port: listening.port,
    async close() {
      clearInterval(beat)
      const partial = await session.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      return partial
    },
  }
}
