import type { IncomingMessage, ServerResponse } from 'node:http'
import polka from 'polka'
import { type Behaviour, specifiedBehaviour } from './behaviour.js'
import type { WritableJournal } from './journal.js'
import { describeFailure, type LogSink } from './log.js'
import type { FullOptions } from './options.js'
import type { ReceivedRequest } from './received-request.js'
import { particularsOf } from './refusal.js'
import { refuse } from './reply.js'
import type { Reply, Route } from './service.js'
import { writeDelivery } from './write-delivery.js'

export interface DispatchOptions extends Pick<FullOptions, 'behaviour' | 'clock'> {
  readonly journal: WritableJournal
  readonly log: LogSink
  /** The server is stopping: connections are not kept. */
  readonly isClosing: () => boolean
}

/** Answers a request that has been read; fulfilled when the answer has left, never rejected. */
export type Dispatch = (
  message: IncomingMessage,
  response: ServerResponse,
  request: ReceivedRequest,
) => Promise<void>

/** Tries routes in their order. What no route takes is 404, what a route throws is 500: the server lives on. */
export function createDispatch(routes: readonly Route[], options: DispatchOptions): Dispatch {
  const { behaviour, clock, journal, log, isClosing } = options
  const exchanges = new WeakMap<IncomingMessage, { request: ReceivedRequest; done: () => void }>()

  const send = async (
    message: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    { deliver, dateHeader }: Behaviour = behaviour,
  ): Promise<void> => {
    const exchange = exchanges.get(message)
    if (exchange === undefined) throw new TypeError('an answer to a request that was not dispatched')
    const { request, done } = exchange
    const nowMs = clock.now()
    const delivery = deliver(reply.answer, request)
    const date = dateHeader(nowMs)
    const entry = {
      method: request.method,
      path: request.path,
      status: reply.answer.status,
      ...(reply.refusal !== undefined && { reason: particularsOf(reply.refusal).why }),
    }
    journal.write({ atMs: nowMs, ...entry })
    log({ level: entry.status < 500 ? 'info' : 'warn', event: 'request', ...entry })
    await writeDelivery(delivery, message, response, {
      date,
      bodyUnread: request.bodyTooLong,
      closing: isClosing(),
    })
    done()
  }

  const app = polka({
    onNoMatch: (message, response) => send(message, response, refuse(behaviour, 'unknown-path')),
    onError: (error, message, response) => {
      log({ level: 'error', event: 'failure', ...describeFailure(error) })
      // Not the server's own behaviour: the error may have come from there.
      send(message, response, refuse(specifiedBehaviour, 'failure'), specifiedBehaviour).catch(() => {
        message.destroy()
        exchanges.get(message)?.done()
      })
    },
  })
  // Polka matches without case and with a trailing slash, so each route looks at the raw path itself (4.1-path).
  for (const route of routes) {
    app.use(async (message, response, next) => {
      const exchange = exchanges.get(message)
      const reply = exchange === undefined ? undefined : await route(exchange.request)
      return reply === undefined ? next() : send(message, response, reply)
    })
  }

  // Polka's own listener calls it like this; its type asks for what only Polka can add.
  const handle = app.handler as unknown as (message: IncomingMessage, response: ServerResponse) => void

  return (message, response, request) =>
    new Promise((done) => {
      exchanges.set(message, { request, done })
      // Of an absolute-form target only the path is left, so that Polka finds its routes.
      message.url = request.path
      handle(message, response)
    })
}
