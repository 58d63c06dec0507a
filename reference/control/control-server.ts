import { createHash, timingSafeEqual } from 'node:crypto'
import { specifiedBehaviour } from '../behaviour.js'
import type { Clock } from '../clock.js'
import { type Answered, createDispatch, type Dispatch } from '../dispatch.js'
import { clientGone } from '../http/client-gone.js'
import { createHttpServer, listenerDefaults } from '../http/http-server.js'
import { parseJson } from '../http/json-body.js'
import { isMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { LogSink } from '../log.js'
import type { Reply } from '../service.js'
import { ControlError, type ProblemCode } from './control-error.js'
import { type ControlOptions, isLoopback } from './control-options.js'
import { type Call, type Endpoint, endpoints } from './endpoints.js'
import { matchPath } from './match-path.js'
import type { ServerControl } from './server-control.js'

/** The control plane of a server, on a port of its own. */
export interface ControlServer {
  readonly port: number
  readonly url: string
  /** The last to stop: until then it says that the server is not ready. */
  close(graceMs?: number): Promise<void>
}

export interface ControlServerOptions extends ControlOptions {
  readonly log: LogSink
  readonly clock: Clock
  /** `undefined`: it does not listen yet. */
  readonly server: () => ServerControl | undefined
  readonly isReady: () => boolean
}

/** @throws the system's error when it cannot listen */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { host = '127.0.0.1', port = 0, log, clock } = options
  let closing = false
  const observe = ({ request, status, durationMs }: Answered): void => {
    // Not the path: it may name an account.
    const path = openPaths.find((open) => open === request.path) ?? endpointFor(request)?.path ?? '‹another›'
    log({
      level: 'info',
      event: 'control',
      method: request.method,
      path,
      status,
      durationMs: Math.round(durationMs),
    })
  }
  /** Who asks, while it is asked. */
  const clients = new WeakMap<ReceivedRequest, () => AbortSignal>()
  const ended = (request: ReceivedRequest) => (): AbortSignal => {
    const signal = clients.get(request)?.()
    if (signal === undefined) throw new TypeError('a request that was not dispatched')
    return signal
  }
  const dispatch = createDispatch([(request) => answer(request, options, ended(request))], {
    behaviour: specifiedBehaviour,
    clock,
    log,
    isClosing: () => closing,
    observe,
  })
  const dispatchKnown: Dispatch = (message, response, request) => {
    clients.set(request, () => clientGone(message, response, gone))
    return dispatch(message, response, request)
  }
  const http = createHttpServer(dispatchKnown, { ...listenerDefaults, log })
  const listening = await http.listen(port, host)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  log({ level: 'info', event: 'control-listening', url })
  if (!isLoopback(host)) {
    const message =
      'other machines can reach the control plane, and its secret crosses the network in plain text'
    log({ level: 'warn', event: 'control-remote', message })
  }
  return {
    port: listening,
    url,
    close(graceMs) {
      closing = true
      return http.close(graceMs)
    },
  }
}

const gone = new ControlError('timeout', 'the client ended its side of the connection while it waited')

const openPaths = ['/health', '/ready']

const statuses: Readonly<Record<ProblemCode, number>> = {
  'bad-request': 400,
  unauthorized: 401,
  'not-found': 404,
  'unknown-scope': 404,
  timeout: 408,
  exists: 409,
  full: 429,
  stopped: 503,
}

async function answer(
  request: ReceivedRequest,
  options: ControlServerOptions,
  ended: Call['ended'],
): Promise<Reply> {
  try {
    const open = await openAnswer(request, options)
    return open ?? (await secretAnswer(request, options, ended))
  } catch (error) {
    if (error instanceof ControlError && error.code !== 'unreachable')
      return problem(error.code, error.message)
    throw error
  }
}

/** What everybody may ask: whether it lives, and whether the server may be used. */
function openAnswer({ method, path }: ReceivedRequest, { isReady }: ControlServerOptions): Reply | undefined {
  if (method !== 'GET') return undefined
  if (path === '/health') return json(200, { status: 'ok' })
  if (path === '/ready') return json(isReady() ? 200 : 503, { ready: isReady() })
  return undefined
}

async function secretAnswer(
  request: ReceivedRequest,
  options: ControlServerOptions,
  ended: Call['ended'],
): Promise<Reply> {
  if (!isAuthorized(request, options.secret))
    throw new ControlError(
      'unauthorized',
      'expected the header Authorization: Bearer, and the secret of this server',
    )
  const endpoint = endpointFor(request)
  if (endpoint === undefined) throw new ControlError('not-found', 'nothing is served here by this method')
  const server = options.server()
  if (server === undefined) throw new ControlError('stopped', 'the server does not listen yet')
  const params = matchPath(endpoint.path, request.path) ?? {}
  const store = params.scope === undefined ? server : server.scopes.get(params.scope)
  const outcome = await endpoint.answer({ server, store, params, body: bodyOf(request), ended })
  return outcome.status === 204
    ? { answer: { status: 204, headers: [], body: '' } }
    : json(outcome.status, outcome.json)
}

function endpointFor({ method, path }: ReceivedRequest): Endpoint | undefined {
  return endpoints.find(
    (endpoint) => endpoint.method === method && matchPath(endpoint.path, path) !== undefined,
  )
}

function isAuthorized({ headers: { authorization = '' } }: ReceivedRequest, secret: string): boolean {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? ''
  // Digests, since what is compared must be of one length.
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A page of a browser cannot send this media type to another origin without asking first. */
function bodyOf({ bodyTooLong, body, contentType }: ReceivedRequest): unknown {
  if (bodyTooLong) throw new ControlError('bad-request', 'the body is longer than 65,536 bytes')
  if (body.length === 0) return {}
  if (!isMediaType(contentType, 'application/json'))
    throw new ControlError('bad-request', 'expected the Content-Type application/json')
  const parsed = parseJson(body)
  if (parsed === undefined) throw new ControlError('bad-request', 'expected a body of JSON')
  return parsed.value
}

function json(status: number, value: unknown): Reply {
  return reply(status, 'application/json', value)
}

/** RFC 9457. */
function problem(code: ProblemCode, detail: string): Reply {
  const status = statuses[code]
  const { answer } = reply(status, 'application/problem+json', { title: code, status, detail })
  return status === 401
    ? { answer: { ...answer, headers: [...answer.headers, ['WWW-Authenticate', 'Bearer']] } }
    : { answer }
}

function reply(status: number, type: string, value: unknown): Reply {
  const headers = [
    ['Content-Type', type],
    ['Cache-Control', 'no-store'],
  ] as const
  return { answer: { status, headers, body: JSON.stringify(value) } }
}
