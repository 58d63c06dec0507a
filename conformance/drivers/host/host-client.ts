import { specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Answer, Delivery } from '../../../reference/http/answer.js'
import type { ReceivedRequest } from '../../../reference/http/received-request.js'
import type { LogLine } from '../../../reference/log.js'
import { type SeedAccount, startReferenceServer } from '../../../reference/server.js'
import { AssayError } from '../../../spec/model/assay-error.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import { Redactor } from '../../evidence/redact.js'
import type { Exchange, ExchangeFailure } from '../../exchange/exchange.js'
import {
  ClientCut,
  type ClientEnd,
  type ClientEnvironment,
  type ObservedSignIn,
  RESOURCE,
} from '../../judge/client/observed-sign-in.js'
import { ownSecretsOf } from '../../judge/client/own-secrets.js'
import { preflightAnswer, readableByPages } from './cross-origin.js'
import { serviceOptions } from './service-options.js'
import { Watch } from './watch.js'

export type { Answer, Delivery, ReceivedRequest }
export { readableByPages }

/** What a client is given, and for a command what else is set in its environment. */
export interface HostEnvironment extends ClientEnvironment {
  /** A name of the tz database. Default: that of this process. */
  readonly timeZone?: string | undefined
}

/** A client, for the suite: signs in once. Rejects with an `AssayError` where it cannot be started at all. */
export type TestedClient = (environment: HostEnvironment, signal: AbortSignal) => Promise<ClientEnd>

export interface HostOptions {
  readonly signal: AbortSignal
  /** How long a client may wait for an answer that never comes whole. */
  readonly patienceMs?: number | undefined
  /** Answers in the place of the reference server, which then has no accounts. */
  readonly answer?: ((request: ReceivedRequest) => Delivery) | undefined
  /** Tokens and other secrets in these answers. */
  readonly secrets?: readonly string[]
}

const CREDENTIALS = { userName: 'alice', password: 'Correct-7-horses' }
const USER_ID = '0b6f1d6e-6a1c-4b53-9a52-5f2f0a3f6c11'

/** The same of a client that could be started before: why it cannot be now, which breaks no rule. */
export async function hostAgain(...call: Parameters<typeof hostClient>): Promise<ObservedSignIn | string> {
  try {
    return await hostClient(...call)
  } catch (error) {
    if (error instanceof AssayError) return error.message
    throw error
  }
}

/** Starts a service of its own for the scenario, and lets the client meet it. */
export async function hostClient(
  client: TestedClient,
  scenario: ClientScenario,
  { signal, patienceMs, answer, secrets = [] }: HostOptions,
): Promise<ObservedSignIn> {
  const { id, fetches = 1, concurrency = 1, credentials = CREDENTIALS, before, service, timeZone } = scenario
  const watch = new Watch(scenario, signal, patienceMs)
  const registered = {
    ...credentials,
    password: service?.registered ?? credentials.password,
    userId: USER_ID,
  }
  const accounts = answer !== undefined ? [] : before === undefined ? [registered] : [before, registered]
  const seen: SeenByService = { expiresAtMs: undefined }
  await using other = await startElsewhere(scenario, accounts, seen)
  await using started = await startService(scenario, accounts, watch, {
    ...{ seen, answer },
    elsewhere: other?.server.url,
  })
  const { server, owners } = started
  const url = server.url + (service?.basePath?.endsWith('/') ? '/' : '')
  const place = {
    ...{ url, resourceUrl: server.url + RESOURCE, scenario: id, fetches, concurrency },
    ...(timeZone === undefined ? {} : { timeZone }),
  }
  if (before !== undefined) {
    await client({ ...place, ...before }, watch.signal)
    await allHasCome()
  }
  const ownFrom = watch.exchanges.length
  const environment = { ...place, ...credentials }
  const calledAtMs = Date.now()
  const begin = performance.now()
  const ended = await client(environment, watch.signal)
  // An answer at a byte a second is given more time than a client that has given it up.
  const { reason } = watch.signal
  const durationMs = performance.now() - begin
  await allHasCome()
  await Promise.all([server.close(), other?.server.close()])
  watch.stop()
  // What a client prints is shown: it may be what it was given.
  const passwords = [credentials, ...(before === undefined ? [] : [before])].map(({ password }) => password)
  const redactor = new Redactor([
    ...passwords.map((value) => ({ value, label: 'password' })),
    ...ownSecretsOf(watch.exchanges, passwords, owners),
  ])
  for (const token of [...owners.keys(), ...secrets]) redactor.learnToken(token)
  const end = { ...redactor.value(ended), ...(reason instanceof ClientCut ? { cut: reason.cut } : {}) }
  return {
    ...{ scenario, environment, end, ownFrom, owners, calledAtMs, durationMs },
    exchanges: [...watch.exchanges],
    ...(other === undefined ? {} : { elsewhere: { origin: other.server.url, exchanges: other.exchanges } }),
    ...seen,
  }
}

interface SeenByService {
  expiresAtMs: number | undefined
  unreadable?: string
}

/** What a client sent before it ended is read now: its connections are taken, then their bytes, then their ends. */
async function allHasCome(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Keeps why a request was not read, one of them. A connection that a client opens and does not use has none. */
function noteUnread({ event, begun, reason }: LogLine, seen: SeenByService): void {
  if (event === 'turned-away' && begun === true) seen.unreadable ??= String(reason)
}

/** @param given `elsewhere`: the base URL that token requests are redirected to */
async function startService(
  scenario: ClientScenario,
  accounts: readonly SeedAccount[],
  watch: Watch,
  given: {
    readonly elsewhere: string | undefined
    readonly answer: HostOptions['answer']
    readonly seen: SeenByService
  },
) {
  const { behaviour, ...options } = serviceOptions(scenario, given.elsewhere)
  const { newAccessToken, expiresAt, deliver } = { ...specifiedBehaviour, ...behaviour }
  const owners = new Map<string, string>()
  const { seen } = given
  const server = await startReferenceServer({
    accounts,
    hashing: 'fast',
    protectedResource: true,
    log: (line) => noteUnread(line, seen),
    ...options,
    behaviour: {
      ...behaviour,
      newAccessToken: (bearer) => {
        const token = newAccessToken(bearer)
        owners.set(token, bearer.userName)
        return token
      },
      expiresAt: (issuedAtMs, lifetimeSeconds) => {
        seen.expiresAtMs = expiresAt(issuedAtMs, lifetimeSeconds)
        return seen.expiresAtMs
      },
      deliver: (answer, request) => {
        // A browser asks of itself: it is no request of the client.
        const asked = preflightAnswer(request)
        if (asked !== undefined) return asked
        const delivery = given.answer?.(request) ?? readableByPages(deliver(answer, request), request)
        watch.add(exchangeOf(request, delivery))
        return delivery
      },
    },
  })
  return { server, owners, [Symbol.asyncDispose]: () => server.close() }
}

/** The other host of a redirect: it would sign the client in. */
async function startElsewhere(
  { service }: ClientScenario,
  accounts: readonly SeedAccount[],
  seen: SeenByService,
) {
  if (service?.redirectsElsewhere === undefined) return undefined
  const exchanges: Exchange[] = []
  const server = await startReferenceServer({
    accounts,
    hashing: 'fast',
    log: (line) => noteUnread(line, seen),
    behaviour: {
      deliver: (answer, request) => {
        const delivery = { kind: 'answer', answer } as const
        exchanges.push(exchangeOf(request, delivery))
        return delivery
      },
    },
  })
  return { server, exchanges, [Symbol.asyncDispose]: () => server.close() }
}

/** How a delivery without an answer ends an exchange. */
const FAILURES = { raw: 'protocol', silence: 'timeout', reset: 'reset' } as const

function exchangeOf(request: ReceivedRequest, delivery: Delivery): Exchange {
  const { method, path, query, contentType, body, bodyTooLong } = request
  // Of several lines of `Content-Type`, Node's headers have the first alone.
  const headers = Object.entries({ ...request.headers, ...(contentType && { 'content-type': contentType }) })
  const trailers = Object.entries(request.trailers ?? {})
  // Unlike the clock of the system, it never goes back.
  const now = performance.timeOrigin + performance.now()
  return {
    request: {
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: [...headers, ...trailers].map(([name, value]) => [name, String(value)]),
      ...(trailers.length > 0 ? { trailers: trailers.length } : {}),
      body,
      ...(bodyTooLong ? { truncated: true } : {}),
    },
    ...endOf(delivery),
    startedAt: now,
    receivedAt: now,
    durationMs: 0,
  }
}

function endOf(delivery: Delivery): Pick<Exchange, 'response' | 'failure'> {
  if (delivery.kind !== 'answer') {
    const failure: ExchangeFailure = { kind: FAILURES[delivery.kind], message: 'the service sent no answer' }
    return { failure }
  }
  const { status, headers, body } = delivery.answer
  return { response: { status, headers, body: Buffer.from(body), truncated: false } }
}
