import { specifiedBehaviour } from '../../../reference/behaviour.js'
import type { Answer } from '../../../reference/http/answer.js'
import type { ReceivedRequest } from '../../../reference/http/received-request.js'
import { startReferenceServer } from '../../../reference/server.js'
import { type Client, type ClientEnd, type ClientEnvironment, RESOURCE, type Scenario } from './scenario.js'

/** One request of a client, and what it was answered. */
export interface Met {
  readonly request: ReceivedRequest
  /** Null where the delivery was no answer. */
  readonly answer: Answer | null
  /** Milliseconds since the scenario began. */
  readonly atMs: number
}

/** A scenario, played. */
export interface Played {
  readonly scenario: Scenario
  readonly environment: ClientEnvironment
  readonly end: ClientEnd
  /** In the order of the answers; a client that asks without end is kept to the first. */
  readonly met: readonly Met[]
  /** The tokens that were issued. */
  readonly tokens: readonly string[]
  /** `.expires` of the last token, in milliseconds since the epoch. */
  readonly expiresAtMs: number | undefined
  readonly durationMs: number
  /** Why something that came over a connection was no request. */
  readonly noRequest?: string
}

const USER_NAME = 'alice'
const PASSWORD = 'Correct-7-horses'
const USER_ID = '0b6f1d6e-6a1c-4b53-9a52-5f2f0a3f6c11'
/** Requests of one scenario that are kept. */
const MOST_MET = 200

/** Starts a service of its own for the scenario, and lets the client meet it. */
export async function play(client: Client, scenario: Scenario, signal: AbortSignal): Promise<Played> {
  const { userName = USER_NAME, password = PASSWORD, registered = password } = scenario
  const { behaviour, ...options } = scenario.service()
  const met: Met[] = []
  const tokens: string[] = []
  let expiresAtMs: number | undefined
  let noRequest: string | undefined
  const begin = performance.now()
  const deliver = behaviour?.deliver ?? specifiedBehaviour.deliver
  await using server = await startReferenceServer({
    accounts: [{ userName, password: registered, userId: USER_ID }],
    hashing: 'fast',
    protectedResource: true,
    log: ({ event, reason }) => {
      if (event === 'turned-away') noRequest ??= String(reason)
    },
    ...options,
    behaviour: {
      ...behaviour,
      newAccessToken: (bearer) => {
        const token = (behaviour?.newAccessToken ?? specifiedBehaviour.newAccessToken)(bearer)
        tokens.push(token)
        return token
      },
      expiresAt: (issuedAtMs, lifetimeSeconds) => {
        expiresAtMs = specifiedBehaviour.expiresAt(issuedAtMs, lifetimeSeconds)
        return expiresAtMs
      },
      deliver: (own, request) => {
        const delivery = deliver(own, request)
        const answer = delivery.kind === 'answer' ? delivery.answer : null
        if (met.length < MOST_MET) met.push({ request, answer, atMs: performance.now() - begin })
        return delivery
      },
    },
  })
  const environment = {
    url: server.url,
    userName,
    password,
    resourceUrl: `${server.url}${RESOURCE}`,
    scenario: scenario.id,
    fetches: scenario.fetches ?? 1,
  }
  const end = await client(environment, signal)
  const durationMs = performance.now() - begin
  const played = { scenario, environment, end, met, tokens, expiresAtMs, durationMs }
  return noRequest === undefined ? played : { ...played, noRequest }
}

/** Whether it was sent to the protected resource. */
export function isResource({ request }: Met): boolean {
  return request.path === RESOURCE
}
