import type { Test } from 'tap'
import type { LogLine } from '../../reference/log.js'
import { startProvider } from '../../reference/provider/provider.js'
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from '../../reference/server.js'
import { providerWithoutCallback, refusingProvider } from './expect-sign-in.js'
import { accounts, bodyLimit } from './world.js'

export interface FuzzedServer extends ReferenceServer {
  /** What must not happen: lines of level `error`. */
  readonly failures: readonly LogLine[]
}

/** Starts the server that the oracle knows, until the test ends. */
export async function startFuzzedServer(
  t: Test,
  options: ReferenceServerOptions = {},
): Promise<FuzzedServer> {
  const client = { clientId: 'a', clientSecret: 'b' }
  const redirectUri = 'https://service.example/callback'
  const provider = await startProvider({ clients: [{ ...client, redirectUris: [redirectUri] }] })
  const { tokenEndpoint } = provider
  const failures: LogLine[] = []
  const server = await startReferenceServer({
    accounts,
    hashing: 'fast',
    bodyLimitBytes: bodyLimit,
    providers: [
      { ...client, name: refusingProvider, tokenEndpoint, redirectUri },
      { ...client, name: providerWithoutCallback, tokenEndpoint },
    ],
    log: (line) => line.level === 'error' && failures.push(line),
    ...options,
  })
  t.teardown(async () => {
    await server.close()
    await provider.close()
  })
  return { ...server, failures }
}
