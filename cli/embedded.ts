import type { Deployment, Target } from '../conformance/deployment.js'
import { resolveTarget } from '../conformance/target.js'
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../reference/server.js'

/** Credentials that reach every rule: reserved and non-ASCII characters, a long one, a last one to throw away. */
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

/** An hour, where the default is 14 days: `expires_in` and `.expires` follow the setting (2.1-R2). */
const SHORT_LIFETIME = 3600

/** Nobody is locked out in the embedded server, so that every generated password may be tried. */
const FAILED_LOGINS = 1000

/** Real hashing is the slow part: the one deployment that has it shows the way, the others do the work. */
const ARGON_SHARE = 0.1

export interface Embedded extends AsyncDisposable {
  readonly target: Target
  close(): Promise<void>
}

/** The reference server in every deployment that it takes to exercise every rule, each on a free port. */
export async function startEmbedded(): Promise<Embedded> {
  const variants: Readonly<Record<string, ReferenceServerOptions>> = {
    default: {},
    'with-user-id': { includesUserId: true },
    'short-lifetime': { tokenLifetime: SHORT_LIFETIME },
    argon2id: { hashing: 'argon2id' },
  }
  const started: [string, ReferenceServerOptions, ReferenceServer][] = []
  for (const [name, options] of Object.entries(variants)) {
    const server = await startReferenceServer({ accounts: ACCOUNTS, hashing: 'fast', ...options })
    started.push([name, options, server])
  }
  const close = async (): Promise<void> => {
    await Promise.all(started.map(([, , server]) => server.close()))
  }
  const target = resolveTarget({
    name: 'the embedded reference server',
    accounts: ACCOUNTS,
    maxFailedLogins: FAILED_LOGINS,
    deployments: Object.fromEntries(
      started.map(([name, { includesUserId = false, tokenLifetime = null }, server]) => [
        name,
        { baseUrl: server.url, includesUserId, tokenLifetime },
      ]),
    ),
  })
  const [first, ...others] = target.deployments.map(
    (deployment): Deployment =>
      deployment.name === 'argon2id' ? { ...deployment, runsShare: ARGON_SHARE } : deployment,
  )
  if (first === undefined) throw new TypeError('no deployment was started')
  return {
    target: { ...target, deployments: [first, ...others] },
    close,
    [Symbol.asyncDispose]: close,
  }
}
