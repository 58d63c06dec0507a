import { createClock } from './clock.js'
import { createHttpServer, type HttpServer } from './connection/http-server.js'
import type { ControlServer, ControlServerOptions } from './control/control-server.js'
import { createExternalLogins } from './external-login/external-logins.js'
import { guarded } from './log.js'
import { completeOptions, type FullOptions, type ReferenceServerOptions } from './options/options.js'
import type { ServerControl } from './store/control.js'
import { createPasswordHasher } from './store/password-hash.js'
import { createWorkQueue } from './store/work-queue.js'
import { createEvents, type EventSource, eventSource } from './tenant/events.js'
import { createReload, hashSeed, type StartValues } from './tenant/reload.js'
import { createRouter, createScopes } from './tenant/scopes.js'
import { createTenant, type Shared } from './tenant/tenant.js'
import { obtainCertificate } from './tls/certificate.js'

export type { SeedAccount } from './account.js'
export type { ReferenceServerOptions } from './options/options.js'

/** Hash computations at a time: as many as libuv has threads for. */
const hashesAtOnce = 4
/** Hash computations that may wait; beyond, the answer is 503. */
const hashesWaiting = 64
/** The same of sign-ins at outside providers. */
const signInsAtOnce = 16
const signInsWaiting = 64

/**
 * A running reference server: a store that a test may look into and change, isolated ones beside it (`scopes`), and
 * the events `request`, `issued` and `refused`.
 */
export interface ReferenceServer extends ServerControl, EventSource {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** What a client must trust where the server has TLS: PEM. */
  readonly certificate?: string
  /** Where the control plane is, if any. */
  readonly controlUrl?: string
  /** Listening, and not about to stop. */
  isReady(): boolean
  /**
   * Takes no more connections, lets requests in progress finish for at most `graceMs`, and ends every connection.
   * May be called again with a shorter grace period.
   */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server that keeps the specification, with its accounts in memory. Any number may run in one process.
 * @throws AssayError `bad-option` for an option that is not usable; the system's error when it cannot listen
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const full = completeOptions(options)
  const { clock, host, basePath } = full
  const log = guarded(full.log)
  const events = createEvents(log)
  const hasher = await createPasswordHasher(full.hashing)
  const certificate = full.tls === undefined ? undefined : await obtainCertificate(full.tls, host)
  const externalLogins = createExternalLogins(full.providerTimeoutMs)
  let hasClosed = false
  let url = ''
  const isClosing = (): boolean => hasClosed
  let start: StartValues = { settings: full, seed: await hashSeed(full, hasher) }
  const shared = sharedOf(full, { start: () => start, hasher, externalLogins, log, events, isClosing })
  const own = createTenant(shared, () => url, clock)
  const scopes = createScopes(own, basePath, full.control !== undefined, (name) =>
    // The clock that a test passed is the source of every scope; by default each has the machine's.
    createTenant(shared, () => `${url}/scopes/${name}`, createClock(options.clock?.now), name),
  )
  const reload = createReload(full, start.seed, {
    read: full.reload,
    hasher,
    log,
    apply(next) {
      start = next
      own.restart()
    },
  })
  let server: ReferenceServer | undefined
  const control = await startControl(full, { log, server: () => server, isClosing })
  const http = createHttpServer(createRouter(own, scopes, shared), {
    ...full,
    connections: full.limits.connections,
    certificate,
    log,
  })
  const port = await listen(http, full, () => control?.close())
  const ownUrl = `${certificate === undefined ? 'http' : 'https'}://${inUrl(host)}:${port}${basePath}`
  url = full.publicUrl ?? ownUrl
  log({ level: 'info', event: 'listening', url: ownUrl, ...(url !== ownUrl && { publicUrl: url }) })
  if (full.hashing === 'fast')
    log({ level: 'warn', event: 'fast-hashing', message: 'passwords are hashed fast, for tests alone' })

  const stop = createStop({ scopes, http, externalLogins, control })
  const close = (graceMs = full.graceMs): Promise<void> => {
    hasClosed = true
    return stop(graceMs)
  }
  const started: ReferenceServer = {
    ...own.store,
    url,
    port,
    ...(control !== undefined && { controlUrl: control.url }),
    ...(certificate !== undefined && { certificate: certificate.cert }),
    scopes,
    reload,
    isReady: () => !isClosing(),
    ...eventSource(events.emitter, () => started),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
  server = started
  return started
}

function sharedOf(
  options: FullOptions,
  parts: Omit<Shared, 'options' | 'hashing' | 'providers' | 'signingIn'>,
): Shared {
  return {
    options,
    hashing: createWorkQueue(hashesAtOnce, hashesWaiting),
    providers: new Map(options.providers.map((provider) => [provider.name, provider])),
    signingIn: createWorkQueue(signInsAtOnce, signInsWaiting),
    ...parts,
  }
}

interface Stoppable {
  readonly scopes: { stop(): void }
  readonly http: HttpServer
  readonly externalLogins: { close(): Promise<void> }
  readonly control: ControlServer | undefined
}

/** Stops the parts in this order. A later call may shorten the grace period. */
function createStop({
  scopes,
  http,
  externalLogins,
  control,
}: Stoppable): (graceMs: number) => Promise<void> {
  let graceEnds = Number.POSITIVE_INFINITY
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    scopes.stop()
    await http.close(graceEnds - performance.now())
    await externalLogins.close()
    await control?.close(graceEnds - performance.now())
  }
  return (graceMs) => {
    graceEnds = Math.min(graceEnds, performance.now() + graceMs)
    if (stopped === undefined) stopped = stop()
    else void http.close(graceMs)
    return stopped
  }
}

/** Loaded on demand: a server without a control plane does not load it. */
async function startControl(
  { control, clock }: FullOptions,
  state: Pick<ControlServerOptions, 'log' | 'server'> & { readonly isClosing: () => boolean },
): Promise<ControlServer | undefined> {
  if (control === undefined) return undefined
  const { startControlServer } = await import('./control/control-server.js')
  const isReady = (): boolean => state.server() !== undefined && !state.isClosing()
  return startControlServer({ ...control, ...state, clock, isReady })
}

async function listen(
  http: HttpServer,
  { port, host }: FullOptions,
  onFailure: () => Promise<void> | undefined,
): Promise<number> {
  try {
    return await http.listen(port, host)
  } catch (error) {
    await onFailure()
    throw error
  }
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
