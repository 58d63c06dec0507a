import type { Patch, Target as TargetFile } from '../../spec/generated/types/target.js'
import { type RunningProvider, startProvider } from '../provider/provider.js'
import { type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from '../server.js'
import { type EmbeddedSettings, embeddedDeployments, exhaustiveDeployments } from './embedded-deployments.js'
import { REGISTRATION_REQUEST } from './registration-request.js'

/** Accounts that exercise every rule: reserved and non-ASCII characters, a last one that may be locked. */
const ACCOUNTS = [
  {
    userName: 'alice',
    password: 'Alice & 100% of =Ümläut+plus',
    userId: '0b6f1d6e-6a1c-4b53-9a52-5f2f0a3f6c11',
  },
  { userName: 'bob.o+tag@example.com', password: 'Bob-2-horses-staple!' },
  { userName: 'Zoë Straße', password: '%41lready-%2B-escaped' },
  { userName: 'throwaway', password: 'Throw-away-9-password' },
] as const

/** Long, as both sides share one machine, which may be busy. */
const TIMEOUT_MS = 60_000

const REDIRECT_URI = 'http://127.0.0.1/callback'
const PROVIDER_SECRET = 'embedded'

/** What reports call the target of `--embedded`. */
export const EMBEDDED = 'the embedded reference server'

/** Running reference servers. */
export interface EmbeddedServers extends AsyncDisposable {
  /** What a target file would declare of them. */
  readonly input: TargetFile
  /** How much of the suite each deployment is to meet, by its name. */
  readonly scopes: ReadonlyMap<string, EmbeddedSettings>
  close(): Promise<void>
}

export interface ServersOptions {
  readonly name: string
  /** One server for each, by the deployment's name. */
  readonly settings: ReadonlyMap<string, EmbeddedSettings>
  /** From `startEmbeddedProvider`. It outlives the servers, and any number of them may share it. */
  readonly provider: RunningProvider
  /** Options that replace those of the settings; called once for each server. */
  readonly altered?: () => Partial<ReferenceServerOptions>
  /** What every deployment declares in addition. */
  readonly declares?: Patch
}

/**
 * The reference server in every deployment that it takes to exercise every rule, with an outside provider of its own.
 * @param exhaustive every combination of policy settings instead
 */
export async function startEmbedded(exhaustive = false): Promise<EmbeddedServers> {
  const provider = await startEmbeddedProvider()
  const servers = await startServers({
    name: EMBEDDED,
    settings: exhaustive ? exhaustiveDeployments() : embeddedDeployments(),
    provider,
  })
  const close = async (): Promise<void> => {
    await Promise.all([servers.close(), provider.close()])
  }
  return { ...servers, close, [Symbol.asyncDispose]: close }
}

/** The outside provider that every embedded server's users may sign in through. */
export function startEmbeddedProvider(): Promise<RunningProvider> {
  return startProvider({
    clients: [
      { clientId: 'with-callback', clientSecret: PROVIDER_SECRET, redirectUris: [REDIRECT_URI] },
      { clientId: 'without-callback', clientSecret: PROVIDER_SECRET, redirectUris: [] },
    ],
  })
}

/** Starts a reference server for each deployment, each on a free port. */
export async function startServers(options: ServersOptions): Promise<EmbeddedServers> {
  const { settings, provider } = options
  const servers: ReferenceServer[] = []
  const deployments: Record<string, Patch> = {}
  for (const [name, own] of settings) {
    const server = await startReferenceServer({ ...serverOptions(own, provider), ...options.altered?.() })
    servers.push(server)
    deployments[name] = { baseUrl: server.url, ...declaredBy(own), ...options.declares }
  }
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()))
  }
  return {
    input: { name: options.name, ...common(provider), deployments },
    scopes: settings,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What the target declares of every deployment. */
function common(provider: RunningProvider): Omit<TargetFile, 'deployments'> {
  return {
    accounts: ACCOUNTS,
    timeoutMs: TIMEOUT_MS,
    registration: {
      request: REGISTRATION_REQUEST,
    },
    externalLogin: {
      prepare: {
        request: { url: `${provider.url}/code`, json: { user: 'alice-at-acme', clientId: 'with-callback' } },
        capture: { code: '/code' },
      },
      request: { path: '/external-login', json: { provider: 'acme', code: '$code' } },
      account: 'alice',
      withoutCallback: { path: '/external-login', json: { provider: 'no-callback' } },
    },
  }
}

function serverOptions(
  { policy, includesUserId, tokenLifetime, hashing }: EmbeddedSettings,
  { tokenEndpoint, userInfoEndpoint }: RunningProvider,
): ReferenceServerOptions {
  const providerFor = (name: string, clientId: string, redirectUri?: string) => ({
    name,
    tokenEndpoint,
    userInfoEndpoint,
    clientId,
    clientSecret: PROVIDER_SECRET,
    ...(redirectUri === undefined ? {} : { redirectUri }),
  })
  return {
    accounts: ACCOUNTS.map((account) =>
      account.userName === 'alice'
        ? { ...account, externalLogins: [{ provider: 'acme', subject: 'alice-at-acme' }] }
        : account,
    ),
    providers: [
      providerFor('acme', 'with-callback', REDIRECT_URI),
      providerFor('no-callback', 'without-callback'),
    ],
    policy,
    providerTimeoutMs: TIMEOUT_MS,
    includesUserId,
    tokenLifetime,
    hashing,
    limits: { journal: 0 },
  }
}

function declaredBy({ policy, includesUserId, tokenLifetime, immediate = true }: EmbeddedSettings): Patch {
  return { includesUserId, tokenLifetime, registration: { immediate, policy: { ...policy } } }
}
