import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.js'
import { createDispatch } from './dispatch.js'
import { createExternalLogins } from './external-login.js'
import { createHttpServer } from './http-server.js'
import { createJournal, type Journal } from './journal.js'
import { guarded } from './log.js'
import { completeOptions, type FullOptions, type ReferenceServerOptions } from './options.js'
import { createPasswordHasher, type PasswordHasher } from './password-hash.js'
import { accountsRoute } from './routes/accounts.js'
import { externalLoginRoute } from './routes/external-login.js'
import { tokenRoute } from './routes/token.js'
import type { Service, State } from './service.js'
import { type Account, createAccountStore } from './store.js'
import { createTokenStore, type IssuedToken } from './tokens.js'
import { createWorkQueue } from './work-queue.js'

export type { ReferenceServerOptions } from './options.js'
export type { SeedAccount } from './seed-account.js'

/** Hash computations at a time: as many as libuv has threads for. */
const hashesAtOnce = 4
/** Hash computations that may wait; beyond, the answer is 503. */
const hashesWaiting = 64
/** The same of sign-ins at outside providers. */
const signInsAtOnce = 16
const signInsWaiting = 64
/** The oldest are forgotten beyond these. */
const accountsKept = 10_000
const tokensKept = 10_000
const entriesKept = 1_000

/** A running reference server. */
export interface ReferenceServer {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly clock: Clock
  /** The latest 1,000 exchanges, redacted. */
  readonly journal: Journal
  /** Whose token this is, among the latest 10,000, unless it has expired: for a test's own resource server. */
  bearerOf(accessToken: string): Pick<IssuedToken, 'userName' | 'userId'> | undefined
  /** Back to the accounts, the clock and the empty journal of the start; issued tokens are forgotten. */
  reset(): void
  /** Stops listening and ends every connection; requests in progress have two seconds. May be called again. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server that keeps the specification, with its accounts in memory. Any number may run in one process.
 * @throws TypeError or RangeError for an option that is not usable; the system's error when it cannot listen.
 */
export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const full = completeOptions(options)
  const { behaviour, clock, host, basePath } = full
  const log = guarded(full.log)
  const hasher = await createPasswordHasher(full.hashing)
  const seed = await hashSeed(full, hasher)
  const externalLogins = createExternalLogins(full.providerTimeoutMs)
  const journal = createJournal(entriesKept)

  const freshState = (): State => ({
    accounts: createAccountStore(
      seed,
      { userName: behaviour.userNameKey, email: behaviour.emailKey },
      accountsKept,
    ),
    tokens: createTokenStore(tokensKept),
  })
  let state = freshState()
  const service: Service = {
    settings: full,
    behaviour,
    clock,
    hasher,
    hashing: createWorkQueue(hashesAtOnce, hashesWaiting),
    providers: new Map(full.providers.map((provider) => [provider.name, provider])),
    externalLogins,
    signingIn: createWorkQueue(signInsAtOnce, signInsWaiting),
    state: () => state,
  }

  const routes = [tokenRoute(service), accountsRoute(service), externalLoginRoute(service)]
  const http = createHttpServer(
    ({ isClosing }) => createDispatch(routes, { behaviour, clock, journal, log, isClosing }),
    { ...full, log },
  )
  const port = await http.listen(full.port, host)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`
  log({ level: 'info', event: 'listening', url })
  if (full.hashing === 'fast') {
    log({ level: 'warn', event: 'fast-hashing', message: 'passwords are hashed fast, for tests alone' })
  }

  const close = async (): Promise<void> => {
    await http.close()
    await externalLogins.close()
  }
  return {
    url,
    port,
    clock,
    journal,
    bearerOf: (accessToken) => state.tokens.find(accessToken, clock.now()),
    reset() {
      state = freshState()
      clock.reset()
      journal.clear()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
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
