import { isSame } from '../../pages/guard/own-page.js'
import { specifiedBehaviour } from '../behaviour.js'
import type { Clock } from '../clock.js'
import { type Answered, createDispatch } from '../connection/dispatch.js'
import { createHttpServer } from '../connection/http-server.js'
import { ControlError, type ProblemCode } from '../control-error.js'
import { formValues, parseForm } from '../http/form.js'
import { parseJson, repeatsMember } from '../http/json-body.js'
import { isMediaType } from '../http/media-type.js'
import type { ReceivedRequest } from '../http/received-request.js'
import type { LogSink } from '../log.js'
import { type ControlOptions, isLoopback } from '../options/control-options.js'
import { listenerDefaults } from '../options/settings.js'
import { matching, type Reply, type Route } from '../service.js'
import type { ServerControl, Store } from '../store/control.js'
import { type Endpoint, endpoints } from './endpoints.js'
import { PAGE, PAGE_KEY, PAGE_OLDER, PAGE_STATE, type PageAccess, pageAccess } from './page.js'

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
  const observe = ({ request, reply, status, durationMs }: Answered): void => {
    // The page asks once a second.
    if (reply.endpoint === PAGE_STATE) return
    log({
      level: 'info',
      event: 'control',
      method: request.method,
      // Not the path: it may name an account.
      path: reply.endpoint ?? '‹another›',
      status,
      durationMs: Math.round(durationMs),
    })
  }
  let listening = 0
  const dispatch = createDispatch(
    controlRoutes(
      options,
      pageAccess(() => listening),
    ),
    {
      behaviour: specifiedBehaviour,
      clock,
      log,
      isClosing: () => closing,
      observe,
    },
  )
  const http = createHttpServer(dispatch, { ...listenerDefaults, log })
  listening = await http.listen(port, host)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  // The page answers on this machine alone.
  const page = isLoopback(host) ? { page: `${url}/page` } : {}
  log({ level: 'info', event: 'control-listening', url, ...page })
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

const clientEnded = new ControlError('timeout', 'the client ended its side of the connection while it waited')

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

/** What anyone may ask, whether it lives and whether the server may be used; what the secret opens; all else. */
function controlRoutes(
  { isReady, secret, server: current }: ControlServerOptions,
  page: PageAccess,
): readonly Route[] {
  const ready = (): Reply => json(isReady() ? 200 : 503, { ready: isReady() })
  const closed = (
    { path, method, introspects = false }: Pick<Endpoint, 'path' | 'introspects'> & Pick<Route, 'method'>,
    answer: Authorized,
  ): Route => ({
    ...(method !== undefined && { method }),
    ...(method !== undefined && { path: matching(path) }),
    answer: async (request, client) => {
      try {
        if (!isAuthorized(request, secret, introspects) && !page.isOpenedBy(request))
          throw new ControlError(
            'unauthorized',
            'expected the header Authorization: Bearer, and the secret of this server',
          )
        return { ...(await answer(request, client)), endpoint: path }
      } catch (error) {
        if (error instanceof ControlError && error.code !== 'unreachable')
          return { ...problem(error.code, error.message), endpoint: path }
        throw error
      }
    },
  })
  const storeOf = (server: ServerControl, scope: string | undefined): Store =>
    scope === undefined ? server : server.scopes.get(scope)
  const running = (): ServerControl => {
    const server = current()
    if (server === undefined) throw new ControlError('stopped', 'the server does not listen yet')
    return server
  }
  const nothing: Authorized = () => {
    throw new ControlError('not-found', 'nothing is served here by this method')
  }
  return [
    {
      method: 'GET',
      path: matching('/health'),
      answer: () => ({ ...json(200, { status: 'ok' }), endpoint: '/health' }),
    },
    { method: 'GET', path: matching('/ready'), answer: () => ({ ...ready(), endpoint: '/ready' }) },
    {
      method: 'GET',
      path: matching(PAGE),
      answer: (request) => page.home(request),
    },
    closed({ method: 'POST', path: PAGE_KEY }, () => json(200, { key: page.key })),
    ...([PAGE_STATE, PAGE_OLDER] as const).map((path) =>
      closed({ method: 'GET', path }, async ({ query }) => {
        const { olderEntries, pageState } = await import('./page-state.js')
        const asked = new URLSearchParams(query)
        const server = running()
        const store = storeOf(server, asked.get('scope') || undefined)
        return json(200, path === PAGE_STATE ? pageState(server, store, asked) : olderEntries(store, asked))
      }),
    ),
    ...endpoints.map(({ answer, ...endpoint }) =>
      closed(endpoint, async (request, { params, gone }) => {
        if (!isDecodable(request.path)) return nothing(request, { params, gone })
        const server = running()
        const store = storeOf(server, params.scope)
        const outcome = await answer({
          server,
          store,
          params,
          body: bodyOf(request, endpoint),
          ended: () => gone(clientEnded),
        })
        return outcome.status === 204
          ? { answer: { status: 204, headers: [], body: '' } }
          : json(outcome.status, outcome.json)
      }),
    ),
    closed({ path: '‹another›' }, nothing),
  ]
}

type Authorized = (...asked: Parameters<Route['answer']>) => Reply | Promise<Reply>

/** Polka leaves an escape that cannot be decoded as it is. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function isAuthorized(
  { headers: { authorization = '' } }: ReceivedRequest,
  secret: string,
  takesBasic: boolean,
): boolean {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? ''
  const asPassword = takesBasic ? basicPassword(authorization) : ''
  // RFC 6749 2.3.1 has a password escaped; not every library does.
  return [given, asPassword, unescaped(asPassword)].map((text) => isSame(text, secret)).includes(true)
}

function basicPassword(authorization: string): string {
  const encoded = /^Basic ([\w+/-]+=*)$/i.exec(authorization)?.[1] ?? ''
  const decoded = Buffer.from(encoded, 'base64').toString('latin1')
  return decoded.slice(decoded.indexOf(':') + 1)
}

function unescaped(text: string): string {
  return parseForm(Buffer.from(`password=${text.replaceAll('&', '%26')}`)).pairs[0]?.[1] ?? ''
}

/** A page of a browser cannot send this media type to another origin without asking first. */
function bodyOf(
  { bodyTooLong, body, contentType }: ReceivedRequest,
  { introspects = false }: Pick<Endpoint, 'introspects'>,
): unknown {
  if (bodyTooLong) throw new ControlError('bad-request', 'the body is longer than 65,536 bytes')
  if (body.length === 0) return {}
  if (introspects && isMediaType(contentType, 'application/x-www-form-urlencoded'))
    return introspectionForm(body)
  if (!isMediaType(contentType, 'application/json'))
    throw new ControlError('bad-request', 'expected the Content-Type application/json')
  const parsed = parseJson(body)
  if (parsed === undefined) throw new ControlError('bad-request', 'expected a body of JSON')
  if (repeatsMember(Buffer.from(body).toString()))
    throw new ControlError('bad-request', 'expected each member of an object once, found one a second time')
  return parsed.value
}

/** Other parameters are ignored (RFC 7662 2.1). */
function introspectionForm(body: Uint8Array): unknown {
  const form = parseForm(body)
  const tokens = formValues(form, 'token')
  if (form.malformed || tokens.length > 1)
    throw new ControlError('bad-request', 'expected a well-formed form with one parameter token')
  return { token: tokens[0] }
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
