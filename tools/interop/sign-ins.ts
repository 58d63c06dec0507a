import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { commandClient } from '../../conformance/drivers/host/run-command.js'
import { RESOURCE } from '../../conformance/judge/client/observed-sign-in.js'
import type { Deployment } from '../../conformance/target/deployment.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { startReferenceServer } from '../../reference/server.js'
import { inParallel } from '../../spec/model/items.js'
import { targetOf } from './assess-implementation.js'
import { CLIENTS, installedClients, type RealClient } from './clients/clients.js'
import { findPackages } from './installed-version.js'
import { listen } from './listen.js'
import { ALICE, SERVERS } from './servers/servers.js'
import { startTarget } from './start-target.js'

/** How a client fares at a server. `not taken`: it gets a token, and does not sign in all the same. */
export type Outcome = 'signs in' | 'not taken' | 'refused' | 'not tried'

/** What came of every client at one server, by name; no outcomes: the server is not installed. */
export interface SignIns {
  readonly server: string
  readonly outcomes?: ReadonlyMap<string, Outcome>
}

/** The control: every client is to sign in there. */
export const REFERENCE = 'token-assay serve'
const TIME_OUT_MS = 60_000
const CALLS = 4
const TOKEN = '/Token'

/** Lets every installed client of these sign in at the reference server and at every installed server of these. */
export async function* measureSignIns(clients = CLIENTS, servers = SERVERS): AsyncGenerator<SignIns> {
  await using reference = await startReferenceServer({ accounts: [ALICE], hashing: 'fast' })
  const { deployments } = resolveTarget({ baseUrl: reference.url, accounts: [ALICE] })
  yield { server: REFERENCE, outcomes: await signInsAt(deployments[0], clients) }
  for (const server of servers) {
    if (!findPackages(server, new URL('servers/', import.meta.url)).isInstalled) {
      yield { server: server.name }
      continue
    }
    await using started = await startTarget(await targetOf(server))
    yield { server: server.name, outcomes: await signInsAt(started.deployment, clients) }
  }
}

async function signInsAt(
  deployment: Deployment,
  clients: readonly RealClient[],
): Promise<ReadonlyMap<string, Outcome>> {
  const installed = new Map(installedClients().map(({ name, command }) => [name, command]))
  const outcomes = await inParallel(clients, CALLS, async ({ name }) => {
    const command = installed.get(name)
    return [name, command === undefined ? 'not tried' : await signIn(command, deployment)] as const
  })
  return new Map(outcomes)
}

async function signIn(
  [program, ...args]: readonly [string, ...string[]],
  deployment: Deployment,
): Promise<Outcome> {
  const relay = new Relay(deployment)
  await using served = await listen((request, response) => void relay.answer(request, response))
  const [{ userName, password }] = deployment.accounts
  const { url } = served
  const place = { url, resourceUrl: url + RESOURCE, scenario: 'sign-in', fetches: 1, concurrency: 1 }
  const client = commandClient(
    program,
    args,
    TIME_OUT_MS,
    fileURLToPath(new URL('clients/', import.meta.url)),
  )
  const end = await client({ ...place, userName, password }, new AbortController().signal)
  if (relay.tokens.size === 0) return 'refused'
  return end.signedIn && !relay.hasRefusedUse ? 'signs in' : 'not taken'
}

/** Between a client and a server: adds what the target file declares of token requests, and has the resource. */
class Relay {
  readonly #deployment: Deployment
  readonly tokens = new Set<string>()
  hasRefusedUse = false

  constructor(deployment: Deployment) {
    this.#deployment = deployment
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // One client is a page of another origin.
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type')
    if (request.method === 'OPTIONS') response.writeHead(204).end()
    else if (request.url === RESOURCE) this.#use(request, response)
    else await this.#forward(request, response)
  }

  #use({ headers }: IncomingMessage, response: ServerResponse): void {
    const [, token = ''] = /^bearer +(.*)$/i.exec(headers.authorization ?? '') ?? []
    const isKnown = this.tokens.has(token)
    this.hasRefusedUse ||= !isKnown
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' }).end('{}')
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { baseUrl, tokenRequest } = this.#deployment
    const path = request.url === TOKEN ? (tokenRequest?.path ?? TOKEN) : request.url
    const answer = await fetch(`${baseUrl}${path}`, {
      method: request.method ?? 'POST',
      redirect: 'manual',
      headers: this.#headersOf(request),
      body: this.#withOwnForm(await buffer(request)),
    }).catch(() => undefined)
    if (answer === undefined) return void response.destroy()
    const text = await answer.text()
    this.#learn(text)
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, type === null ? {} : { 'Content-Type': type }).end(text)
  }

  /** As a client that was set up for this server: where its credentials are declared, it has no others. */
  #headersOf({ headers: sent }: IncomingMessage): Headers {
    const { headers: own, tokenRequest: { headers = {}, form = {} } = {} } = this.#deployment
    const added = new Headers([
      ...own.map(([name, value]) => [name, value] as [string, string]),
      ...Object.entries(headers),
    ])
    const names = ['content-type', 'accept', ...('client_id' in form ? [] : ['authorization'])]
    for (const name of names) {
      const value = sent[name]
      if (typeof value === 'string' && !added.has(name)) added.set(name, value)
    }
    return added
  }

  #withOwnForm(body: Buffer): Buffer {
    const { form = {} } = this.#deployment.tokenRequest ?? {}
    const pairs = body
      .toString('latin1')
      .split('&')
      .filter((pair) => !((pair.split('=')[0] ?? '') in form))
    const added = new URLSearchParams(form).toString()
    return Buffer.from([...pairs, ...(added === '' ? [] : [added])].join('&'), 'latin1')
  }

  #learn(text: string): void {
    const [, token] = /"access_token" *: *"([^"]+)"/.exec(text) ?? []
    if (token !== undefined) this.tokens.add(token)
  }
}
