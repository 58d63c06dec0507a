import { specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Delivery } from '../../../reference/http/answer.js'
import type { ReceivedRequest } from '../../../reference/http/received-request.js'
import { startReferenceServer } from '../../../reference/server.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import { Redactor } from '../../evidence/redact.js'
import type { Exchange, ExchangeFailure } from '../../exchange/exchange.js'
import {
  type ClientEnd,
  type ClientEnvironment,
  type ObservedSignIn,
  RESOURCE,
} from '../../judge/client/observed-sign-in.js'
import { serviceOptions } from './service-options.js'

/** A client, for the suite: signs in once. Rejects with an `AssayError` where it cannot be started at all. */
export type TestedClient = (environment: ClientEnvironment, signal: AbortSignal) => Promise<ClientEnd>

const CREDENTIALS = { userName: 'alice', password: 'Correct-7-horses' }
const USER_ID = '0b6f1d6e-6a1c-4b53-9a52-5f2f0a3f6c11'
/** Exchanges of one scenario that are kept. */
const MAX_EXCHANGES = 200

/** Starts a service of its own for the scenario, and lets the client meet it. */
export async function hostClient(
  client: TestedClient,
  scenario: ClientScenario,
  signal: AbortSignal,
): Promise<ObservedSignIn> {
  const { id, fetches = 1, credentials: { userName, password } = CREDENTIALS, service } = scenario
  const { behaviour, ...options } = serviceOptions(scenario)
  const { newAccessToken, expiresAt, deliver } = { ...specifiedBehaviour, ...behaviour }
  const exchanges: Exchange[] = []
  const tokens: string[] = []
  let expiresAtMs: number | undefined
  let unreadable: string | undefined
  const begin = performance.now()
  await using server = await startReferenceServer({
    accounts: [{ userName, password: service?.registered ?? password, userId: USER_ID }],
    hashing: 'fast',
    protectedResource: true,
    log: ({ event, reason }) => {
      if (event === 'turned-away') unreadable ??= String(reason)
    },
    ...options,
    behaviour: {
      ...behaviour,
      newAccessToken: (bearer) => {
        const token = newAccessToken(bearer)
        tokens.push(token)
        return token
      },
      expiresAt: (issuedAtMs, lifetimeSeconds) => {
        expiresAtMs = expiresAt(issuedAtMs, lifetimeSeconds)
        return expiresAtMs
      },
      deliver: (answer, request) => {
        const delivery = deliver(answer, request)
        if (exchanges.length < MAX_EXCHANGES) exchanges.push(exchangeOf(request, delivery))
        return delivery
      },
    },
  })
  const { url } = server
  const environment = { url, userName, password, resourceUrl: url + RESOURCE, scenario: id, fetches }
  const ended = await client(environment, signal)
  const durationMs = performance.now() - begin
  // What a client prints is shown: it may be what it was given.
  const redactor = new Redactor([{ value: password, label: 'password' }])
  for (const token of tokens) redactor.learnToken(token)
  const end = redactor.value(ended)
  const observed = { scenario, environment, end, exchanges, tokens, expiresAtMs, durationMs }
  return unreadable === undefined ? observed : { ...observed, unreadable }
}

/** How a delivery without an answer ends an exchange. */
const FAILURES = { raw: 'protocol', silence: 'timeout', reset: 'reset' } as const

function exchangeOf(request: ReceivedRequest, delivery: Delivery): Exchange {
  const { method, path, query, contentType, body, bodyTooLong } = request
  // Of several lines of `Content-Type`, Node's headers have the first alone.
  const headers = Object.entries({ ...request.headers, ...(contentType && { 'content-type': contentType }) })
  // Unlike the clock of the system, it never goes back.
  const now = performance.timeOrigin + performance.now()
  return {
    request: {
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: headers.map(([name, value]) => [name, String(value)]),
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
