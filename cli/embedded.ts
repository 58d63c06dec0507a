import type { Deployment, Target } from '../conformance/deployment.js'
import { resolveTarget } from '../conformance/target.js'
import type { SettingsPatch } from '../conformance/target-input.js'
import { type RunningProvider, startProvider } from '../reference/provider.js'
import { type ReferenceServer, startReferenceServer } from '../reference/server.js'
import { embeddedDeployments, exhaustiveDeployments, type Settings } from './embedded-deployments.js'

/** Credentials that reach every rule: reserved and non-ASCII characters, long ones, a last one to throw away. */
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

/** Nobody is locked out in the embedded server, so that every generated password may be tried. */
const FAILED_LOGINS = 1000

const REDIRECT_URI = 'http://127.0.0.1/callback'
const PROVIDER_SECRET = 'embedded'

export interface Embedded extends AsyncDisposable {
  readonly target: Target
  close(): Promise<void>
}

/**
 * The reference server in every deployment that it takes to exercise every rule, each on a free port, with an outside
 * provider of its own.
 * @param exhaustive every combination of policy settings instead
 */
export async function startEmbedded(exhaustive = false): Promise<Embedded> {
  const settings = exhaustive ? exhaustiveDeployments() : embeddedDeployments()
  const provider = await startProvider({
    clients: [
      { clientId: 'with-callback', clientSecret: PROVIDER_SECRET, redirectUris: [REDIRECT_URI] },
      { clientId: 'without-callback', clientSecret: PROVIDER_SECRET, redirectUris: [] },
    ],
  })
  const servers = new Map<string, ReferenceServer>()
  for (const [name, own] of settings) servers.set(name, await startServer(own, provider))
  const close = async (): Promise<void> => {
    await Promise.all([...servers.values(), provider].map((server) => server.close()))
  }
  const target = resolveTarget({
    name: 'the embedded reference server',
    accounts: ACCOUNTS,
    maxFailedLogins: FAILED_LOGINS,
    registration: {
      request: { path: '/accounts', json: { userName: '$userName', email: '$email', password: '$password' } },
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
    deployments: Object.fromEntries(
      [...servers].map(([name, { url }]): [string, SettingsPatch] => [
        name,
        patchOf(url, settings.get(name)),
      ]),
    ),
  })
  const [first, ...others] = target.deployments.map(
    (deployment): Deployment => ({ ...deployment, runsShare: settings.get(deployment.name)?.runsShare ?? 1 }),
  )
  if (first === undefined) throw new TypeError('no deployment was started')
  return {
    target: { ...target, deployments: [first, ...others] },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function startServer(
  settings: Settings,
  { tokenEndpoint, userInfoEndpoint }: RunningProvider,
): Promise<ReferenceServer> {
  const { policy, includesUserId, tokenLifetime, hashing } = settings
  const providerFor = (name: string, clientId: string, redirectUri?: string) => ({
    name,
    tokenEndpoint,
    userInfoEndpoint,
    clientId,
    clientSecret: PROVIDER_SECRET,
    ...(redirectUri === undefined ? {} : { redirectUri }),
  })
  return startReferenceServer({
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
    includesUserId,
    tokenLifetime,
    hashing,
  })
}

function patchOf(baseUrl: string, settings: Settings | undefined): SettingsPatch {
  if (settings === undefined) return { baseUrl }
  const { policy, includesUserId, tokenLifetime } = settings
  return { baseUrl, includesUserId, tokenLifetime, registration: { policy: { ...policy } } }
}
