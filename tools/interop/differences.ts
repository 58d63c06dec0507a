import { fileURLToPath } from 'node:url'
import type { ComparedService } from '../../conformance/assess/differential/ask/service-side.js'
import { findDifferences } from '../../conformance/assess/differential/find-differences.js'
import { vocabularyOf } from '../../conformance/evidence/describe.js'
import { Redactor } from '../../conformance/evidence/redact.js'
import { startServices } from '../../conformance/target/start-services.js'
import { resolveTarget } from '../../conformance/target/target.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { startReferenceServer } from '../../reference/server.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import {
  ALICE,
  ENVIRONMENT,
  type Implementation,
  nodeOauth2Server,
  oauth2MockServer,
  ZOE,
} from './implementations.js'
import { installedVersion } from './installed-version.js'
import { freePorts } from './listen.js'

/** Any will do; the same one gives the same requests, and so the same page. */
const SEED = 1
const RUNS = 200

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
        request: {
          path: '/accounts',
          json: { userName: '$userName', email: '$email', password: '$password' },
        },
      }
      const target = resolveTarget({ baseUrl: old.url, accounts: [ALICE, ZOE], registration })
      await using now = await startPython()
      // The servers stop when this returns.
      return await compare({ target, deployment: target.deployments[0] }, now.compare)
    },
  },
  {
    title: `From ${oauth2MockServer.name} to ${nodeOauth2Server.name}`,
    setUp: `Two servers that others wrote, ${versionOf(oauth2MockServer)} and ${versionOf(nodeOauth2Server)}, set up as for [interop.md](interop.md). Neither registers accounts: what may be a failed login is asked within a budget of 200.`,
    run: async () => {
      await using old = await oauth2MockServer.start()
      await using now = await nodeOauth2Server.start()
      return await compare(declared(oauth2MockServer, old.url), declared(nodeOauth2Server, now.url))
    },
  },
]

function compare(old: ComparedService, now: ComparedService): Promise<Differential> {
  return findDifferences(old, now, { seed: SEED, runs: RUNS })
}

function versionOf({ name, from }: Implementation): string {
  return installedVersion(name, from) ?? 'not installed'
}

function declared({ file }: Implementation, url: string): ComparedService {
  const target = loadTargetFile(file, { ...ENVIRONMENT, INTEROP_BASE_URL: url })
  const [first] = target.deployments
  return { target, deployment: { ...first, maxFailedLogins: 200 } }
}

/** The Python service in its first deployment, by its own target file. */
async function startPython(): Promise<AsyncDisposable & { readonly compare: ComparedService }> {
  const [port, userIdPort, providerPort, otherPort] = await freePorts(4)
  const target = loadTargetFile(fileURLToPath(new URL('python.yaml', import.meta.url)), {
    INTEROP_ALICE_PASSWORD: ALICE.password,
    INTEROP_ZOE_PASSWORD: ZOE.password,
    INTEROP_PORT: String(port),
    INTEROP_USER_ID_PORT: String(userIdPort),
    INTEROP_PROVIDER_PORT: String(providerPort),
    INTEROP_OTHER_PORT: String(otherPort),
    INTEROP_BUG: 'none',
  })
  const [deployment] = target.deployments
  const nothingSecret = new Redactor(
    [],
    vocabularyOf({ hash: '', requirements: [], cases: [], observations: [] }),
  )
  const started = await startServices([deployment], nothingSecret, new AbortController().signal)
  const { externalLogin: _, start: __, ...plain } = deployment
  return {
    compare: { target, deployment: plain },
    [Symbol.asyncDispose]: async () => {
      await started.stop()
    },
  }
}
