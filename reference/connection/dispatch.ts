import type { IncomingMessage, ServerResponse } from 'node:http'
import polka, { type Middleware, type Request } from 'polka'
import { type Behaviour, specifiedBehaviour } from '../behaviour.js'
import type { Delivery } from '../http/answer.js'
import type { ReceivedRequest } from '../http/received-request.js'
import { describeFailure, type LogSink } from '../log.js'
import type { FullOptions } from '../options/options.js'
import { refuse } from '../routes/reply.js'
import type { Reply, Route } from '../service.js'
import type { Interception } from '../store/faults.js'
import { clientGone } from './client-gone.js'
import { writeDelivery } from './write-delivery.js'

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

export interface DispatchOptions extends Pick<FullOptions, 'behaviour' | 'clock'> {
  readonly log: LogSink
  /** The server is stopping: connections are not kept. */
  readonly isClosing: () => boolean
  /** Called after each answer has been handed to the system, so that it costs the client no time. */
  readonly observe: (answered: Answered) => void
  /** Applies hooks to the reply of a route; `undefined` where no hook matches. Never rejects. */
  readonly rewrite?: (reply: Reply, request: ReceivedRequest) => Promise<Reply> | undefined
  /** Called once for each request, before any route. */
  readonly intercept?: (request: ReceivedRequest) => Interception | undefined
}

/** Answers a request that has been read; fulfilled when the answer has left, never rejected. */
export type Dispatch = (
  message: IncomingMessage,
  response: ServerResponse,
  request: ReceivedRequest,
) => Promise<void>

interface OpenExchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly request: ReceivedRequest
  readonly startedAt: number
  readonly interception: Interception | undefined
  readonly done: () => void
}

/** A message with what Polka reads of it, and the exchange that its handlers take it for. */
interface RoutedMessage extends Request {
  readonly exchange: OpenExchange
}

/** Tries routes in their order. A request without a route gets 404, one whose route throws gets 500. */
export function createDispatch(routes: readonly Route[], options: DispatchOptions): Dispatch {
  const { behaviour, clock, log, isClosing, observe, intercept, rewrite } = options

  /** An error in an observer must not cost the client its answer. */
  const report = (answered: Answered): void => {
    try {
      observe(answered)
    } catch (error) {
      log({ level: 'error', event: 'failure', ...describeFailure(error) })
    }
  }

  const send = async (
    exchange: OpenExchange,
    found: Reply,
    { deliver, dateHeader }: Behaviour = behaviour,
  ): Promise<void> => {
    const { message, response, request, startedAt, interception, done } = exchange
    // Hooks do not apply to the answer of a fault.
    const rewriting = interception?.answer === undefined ? rewrite?.(found, request) : undefined
    const reply = rewriting === undefined ? found : await rewriting
    const nowMs = clock.now()
    const answer = deliver(reply.answer, request)
    const delivery = interception?.alter(answer) ?? answer
    await turnEnds()
    const left = writeDelivery(delivery, message, response, {
      date: dateHeader(nowMs),
      bodyUnread: request.bodyTooLong,
      isClosing,
    })
    report({
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

  const fail = (exchange: OpenExchange, error: unknown): void => {
    log({ level: 'error', event: 'failure', ...describeFailure(error) })
    // Not the server's own behaviour: the error may have come from there.
    send(exchange, refuse(specifiedBehaviour, 'failure'), specifiedBehaviour).catch(() => {
      exchange.message.destroy()
      exchange.done()
    })
  }

  const app = polka<RoutedMessage>({
    onNoMatch: ({ exchange }) => send(exchange, refuse(behaviour, 'unknown-path')),
    onError: (error, { exchange }) => fail(exchange, error),
  })
  for (const route of routes) {
    const { method, path = /^/ } = route
    if (method === undefined) app.all(path, handlerOf(route, send))
    else app.add(method, path, handlerOf(route, send))
  }

  return (message, response, request) =>
    new Promise((done) => {
      const startedAt = performance.now()
      const interception = intercept?.(request)
      const exchange = { message, response, request, startedAt, interception, done }
      if (interception?.answer !== undefined)
        send(exchange, { answer: interception.answer }).catch((error: unknown) => fail(exchange, error))
      // Polka's own listener calls it without the last parameter that its type asks for.
      else Reflect.apply(app.handler, app, [routed(exchange), response])
    })
}

function handlerOf(
  { method, answer }: Route,
  send: (exchange: OpenExchange, reply: Reply) => Promise<void>,
): Middleware<RoutedMessage> {
  return async ({ exchange, params }, _, next) => {
    const { message, response, request } = exchange
    // Polka gives HEAD to what is served by GET.
    if (method !== undefined && method !== request.method) return next()
    const gone = (reason: Error): AbortSignal => clientGone(message, response, reason)
    const reply = await answer(request, { params, gone })
    return reply === undefined ? next() : send(exchange, reply)
  }
}

/** Waits until the turn of the event loop ends: answers that leave together wake the client only once, which is costly. */
function turnEnds(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What Polka reads of a message, which itself is not changed. The path has no origin and no query. */
function routed(exchange: OpenExchange): RoutedMessage {
  const { method, path } = exchange.request
  const parsed = { pathname: path, search: '', query: {}, hash: undefined, raw: path }
  const read = {
    exchange,
    method,
    path,
    url: path,
    originalUrl: path,
    query: {},
    params: {},
    _parsedUrl: parsed,
  }
  // Its type asks for a whole message.
  return read as Partial<RoutedMessage> as RoutedMessage
}

function statusOf(delivery: Delivery, { answer }: Reply): number {
  // Raw bytes are not read here: they are the answer.
  if (delivery.kind === 'answer') return delivery.answer.status
  return delivery.kind === 'raw' && delivery.bytes.length > 0 ? answer.status : 0
}
