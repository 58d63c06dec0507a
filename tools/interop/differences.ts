import { fileURLToPath } from 'node:url'
import type { ComparedService } from '../../conformance/assess/differential/ask/service-side.js'
import { findDifferences } from '../../conformance/assess/differential/find-differences.js'
import { commandClient } from '../../conformance/drivers/host/run-command.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { REGISTRATION_REQUEST } from '../../reference/embedded/registration-request.js'
import { startReferenceServer } from '../../reference/server.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { targetOf } from './assess-implementation.js'
import { installedClients } from './clients/clients.js'
import { installedVersion } from './installed-version.js'
import { freePorts } from './listen.js'
import { ALICE, ENVIRONMENT, type Implementation, serverNamed, ZOE } from './servers/servers.js'
import { startTarget } from './start-target.js'

/** Any will do; the same one gives the same requests, and so the same page. */
const SEED = 1
const RUNS = 200
const TIME_OUT_MS = 30_000

const mock = serverNamed('oauth2-mock-server')
const node = serverNamed('@node-oauth/oauth2-server')

/** Two services that are compared. */
export interface ServiceComparison {
  readonly title: string
  /** What they are, in one sentence. */
  readonly setUp: string
  readonly run: () => Promise<Differential>
}

export const COMPARISONS: readonly ServiceComparison[] = [
  {
    title: 'From the reference server to a service in Python',
    setUp:
      'Both were written from the specification, by different hands: `token-assay serve` is old, `tools/interop/python/server.py` is new. Accounts are registered in two ways, as the target files declare; sign-in through a provider is left out.',
    run: async () => {
      await using old = await startReferenceServer({ accounts: [ALICE, ZOE] })
      const registration = {
        request: REGISTRATION_REQUEST,
      }
      const target = resolveTarget({ baseUrl: old.url, accounts: [ALICE, ZOE], registration })
      await using now = await start(await pythonTarget())
      // The servers stop when this returns.
      return await compare({ target, deployment: target.deployments[0] }, now.service)
    },
  },
  {
    title: `From ${mock.name} to ${node.name}`,
    setUp: `Two servers that others wrote, ${versionOf(mock)} and ${versionOf(node)}, set up as for [interop.md](interop.md). Neither registers accounts: what may be a failed login is asked within a budget of 200.`,
    run: async () => {
      await using old = await start(await targetOf(mock), { maxFailedLogins: 200 })
      await using now = await start(await targetOf(node), { maxFailedLogins: 200 })
      return await compare(old.service, now.service)
    },
  },
]

function compare(old: ComparedService, now: ComparedService): Promise<Differential> {
  const clients = installedClients().map(({ name, version, command: [program, ...args] }) => ({
    ...{ name, version },
    run: commandClient(program, args, TIME_OUT_MS),
  }))
  return findDifferences(old, now, { seed: SEED, runs: RUNS, clients })
}

function versionOf({ name, from }: Implementation): string {
  return installedVersion(name, from, new URL('servers/', import.meta.url)) ?? 'not installed'
}

/** The Python service, by its own target file. */
async function pythonTarget(): Promise<Target> {
  const [port, userIdPort, providerPort, otherPort] = await freePorts(4)
  return loadTargetFile(fileURLToPath(new URL('python.yaml', import.meta.url)), {
    ...ENVIRONMENT,
    INTEROP_PORT: String(port),
    INTEROP_USER_ID_PORT: String(userIdPort),
    INTEROP_PROVIDER_PORT: String(providerPort),
    INTEROP_OTHER_PORT: String(otherPort),
    INTEROP_BUG: 'none',
  })
}

/** Starts a service in its first deployment. */
async function start(
  target: Target,
  settings: Pick<Deployment, 'maxFailedLogins'> = {},
): Promise<AsyncDisposable & { readonly service: ComparedService }> {
  const started = await startTarget(target)
  const { externalLogin: _, start: __, ...plain } = started.deployment
  return {
    service: { target, deployment: { ...plain, ...settings } },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}
