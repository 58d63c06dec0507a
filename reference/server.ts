import { randomUUID } from 'node:crypto'
import { createClock } from './clock.js'
import type { ControlServer, ControlServerOptions } from './control/control-server.js'
import { createScopes } from './control/scopes.js'
import type { ServerControl } from './control/server-control.js'
import { createEvents, type EventSource, eventSource } from './events.js'
import { createExternalLogins } from './external-login.js'
import { createHttpServer, type HttpServer } from './http/http-server.js'
import { guarded } from './log.js'
import { completeOptions, type FullOptions, type ReferenceServerOptions } from './options/options.js'
import { createPasswordHasher, type PasswordHasher } from './password-hash.js'
import { createRealm, type Shared } from './realm.js'
import { createRouter } from './router.js'
import type { Account } from './store.js'
import { obtainCertificate } from './tls/obtain-certificate.js'
import type { IssuedToken } from './tokens.js'
import { createWorkQueue } from './work-queue.js'

export type { ReferenceServerOptions } from './options/options.js'
export type { SeedAccount } from './seed-account.js'

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
  /** Whose token this is, among the latest 10,000, unless it has expired: for a test's own resource server. */
  bearerOf(accessToken: string): Pick<IssuedToken, 'userName' | 'userId'> | undefined
  /**
   * Takes no more connections, lets requests in progress finish for `graceMs` at the most, and ends every connection.
   * May be called again, with less patience.
   */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server that keeps the specification, with its accounts in memory. Any number may run in one process.
 * @throws TypeError or RangeError for an option that is not usable; the system's error when it cannot listen.
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const full = completeOptions(options)
  const { clock, host, basePath } = full
  const log = guarded(full.log)
  const events = createEvents(log)
  const hasher = await createPasswordHasher(full.hashing)
  const certificate = full.tls === undefined ? undefined : await obtainCertificate(full.tls, host)
  const externalLogins = createExternalLogins(full.providerTimeoutMs)
  let closing: Promise<void> | undefined
  let url = ''
  const isClosing = (): boolean => closing !== undefined
  const shared: Shared = {
    options: full,
    seed: await hashSeed(full, hasher),
    hasher,
    hashing: createWorkQueue(hashesAtOnce, hashesWaiting),
    providers: new Map(full.providers.map((provider) => [provider.name, provider])),
    externalLogins,
    signingIn: createWorkQueue(signInsAtOnce, signInsWaiting),
    log,
    events,
    isClosing,
  }
  const own = createRealm(shared, () => url, clock)
  const scopes = createScopes(own, basePath, full.control !== undefined, (name) =>
    // A clock that a test has given is every scope's source; else each has the machine's.
    createRealm(shared, () => `${url}/scopes/${name}`, createClock(options.clock?.now), name),
  )
  let server: ReferenceServer | undefined
  const control = await startControl(full, { log, server: () => server, isClosing })
  const http = createHttpServer(createRouter(own, scopes, shared), {
    ...full,
    connections: full.limits.connections,
    certificate,
    log,
  })
  const port = await listen(http, full, () => control?.close())
  url = `${certificate === undefined ? 'http' : 'https'}://${inUrl(host)}:${port}${basePath}`
  log({ level: 'info', event: 'listening', url })
  if (full.hashing === 'fast') {
    log({ level: 'warn', event: 'fast-hashing', message: 'passwords are hashed fast, for tests alone' })
  }

  let patienceEnds = Number.POSITIVE_INFINITY
  const stop = async (): Promise<void> => {
    scopes.stop()
    await http.close(patienceEnds - performance.now())
    await externalLogins.close()
    await control?.close(patienceEnds - performance.now())
  }
  const close = (graceMs = full.graceMs): Promise<void> => {
    patienceEnds = Math.min(patienceEnds, performance.now() + graceMs)
    if (closing === undefined) closing = stop()
    // Only to be less patient.
    else void http.close(graceMs)
    return closing
  }
  const started: ReferenceServer = {
    ...own.store,
    url,
    port,
    ...(control !== undefined && { controlUrl: control.url }),
    ...(certificate !== undefined && { certificate: certificate.cert }),
    scopes,
    isReady: () => !isClosing(),
    bearerOf: own.bearerOf,
    ...eventSource(events.emitter, () => started),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
  server = started
  return started
}

/** Loaded on demand: a server without one never pays for it. */
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

function hashSeed({ accounts, behaviour }: FullOptions, hasher: PasswordHasher): Promise<Account[]> {
  return Promise.all(
    accounts.map(async ({ password, userId = randomUUID(), ...account }) => ({
      ...account,
      userId,
      passwordHash: await hasher.hash(behaviour.passwordAsHashed(password)),
    })),
  )
}
