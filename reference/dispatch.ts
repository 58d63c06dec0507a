import type { IncomingMessage, ServerResponse } from 'node:http'
import polka from 'polka'
import { type Behaviour, specifiedBehaviour } from './behaviour.js'
import type { Answer, Delivery } from './http/answer.js'
import type { ReceivedRequest } from './http/received-request.js'
import { refuse } from './http/reply.js'
import { writeDelivery } from './http/write-delivery.js'
import { describeFailure, type LogSink } from './log.js'
import type { FullOptions } from './options/options.js'
import type { Reply, Route } from './service.js'

/** An exchange that is over, or whose answer is on its way. */
export interface Answered {
  readonly request: ReceivedRequest
  readonly reply: Reply
  /** Milliseconds since the epoch, by the service's clock. */
  readonly nowMs: number
  /** Milliseconds from the end of the request to the answer. */
  readonly durationMs: number
  /** What left in the end; 0 where no answer was sent. */
  readonly status: number
  readonly faults?: readonly string[]
}

/** What goes otherwise than the routes say, on purpose. */
export interface Interception {
  readonly faults: readonly string[]
  /** In place of the routes'. */
  readonly answer?: Answer
  alter(delivery: Delivery): Delivery
}

export interface DispatchOptions extends Pick<FullOptions, 'behaviour' | 'clock'> {
  readonly log: LogSink
  /** The server is stopping: connections are not kept. */
  readonly isClosing: () => boolean
  /** Told of every exchange, after its answer has been handed to the system: what it does costs no client's time. */
  readonly observe: (answered: Answered) => void
  /** Asked once of every request, before any route. */
  readonly intercept?: (request: ReceivedRequest) => Interception | undefined
}

/** Answers a request that has been read; fulfilled when the answer has left, never rejected. */
export type Dispatch = (
  message: IncomingMessage,
  response: ServerResponse,
  request: ReceivedRequest,
) => Promise<void>

interface Exchange {
  readonly request: ReceivedRequest
  readonly startedAt: number
  readonly interception: Interception | undefined
  readonly done: () => void
}

/** Tries routes in their order. What no route takes is 404, what a route throws is 500: the server lives on. */
export function createDispatch(routes: readonly Route[], options: DispatchOptions): Dispatch {
  const { behaviour, clock, log, isClosing, observe, intercept } = options
  const exchanges = new WeakMap<IncomingMessage, Exchange>()

  /** What goes wrong here must not cost the client its answer. */
  const told = (answered: Answered): void => {
    try {
      observe(answered)
    } catch (error) {
      log({ level: 'error', event: 'failure', ...describeFailure(error) })
    }
  }

  const send = async (
    message: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    { deliver, dateHeader }: Behaviour = behaviour,
  ): Promise<void> => {
    const exchange = exchanges.get(message)
    if (exchange === undefined) throw new TypeError('an answer to a request that was not dispatched')
    const { request, startedAt, interception, done } = exchange
    const nowMs = clock.now()
    const answer = deliver(reply.answer, request)
    const delivery = interception?.alter(answer) ?? answer
    const left = writeDelivery(delivery, message, response, {
      date: dateHeader(nowMs),
      bodyUnread: request.bodyTooLong,
      isClosing,
    })
    told({
      request,
      reply,
      nowMs,
      durationMs: performance.now() - startedAt,
      status: statusOf(delivery, reply),
      ...(interception !== undefined && { faults: interception.faults }),
    })
    await left
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
      const reply = exchange === undefined ? undefined : await answerOf(exchange, route)
      return reply === undefined ? next() : send(message, response, reply)
    })
  }

  // Polka's own listener calls it like this; its type asks for what only Polka can add.
  const handle = app.handler as unknown as (message: IncomingMessage, response: ServerResponse) => void

  return (message, response, request) =>
    new Promise((done) => {
      const startedAt = performance.now()
      exchanges.set(message, { request, startedAt, interception: intercept?.(request), done })
      // Of an absolute-form target only the path is left, so that Polka finds its routes.
      message.url = request.path
      handle(message, response)
    })
}

function answerOf({ request, interception }: Exchange, route: Route): ReturnType<Route> {
  return interception?.answer === undefined ? route(request) : { answer: interception.answer }
}

function statusOf(delivery: Delivery, { answer }: Reply): number {
  // Of raw bytes nobody here knows what they say, but that they stand for the answer.
  if (delivery.kind === 'answer') return delivery.answer.status
  return delivery.kind === 'raw' && delivery.bytes.length > 0 ? answer.status : 0
}
