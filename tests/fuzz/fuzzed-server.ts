import type { Test } from 'tap'
import type { LogLine } from '../../reference/log.js'
import type { ReferenceServer, ReferenceServerOptions } from '../../reference/server.js'
import { startTestProvider } from '../fixtures/provider.js'
import { startReference } from '../fixtures/reference.js'
import { accounts, bodyLimit } from './oracle-state.js'

export interface FuzzedServer extends ReferenceServer {
  /** What must not happen: lines of level `error`. */
  readonly failures: readonly LogLine[]
}

/** Starts the server that the oracle knows, until the test ends. */
export async function startFuzzedServer(
  t: Test,
  options: ReferenceServerOptions = {},
): Promise<FuzzedServer> {
  const provider = await startTestProvider()
  t.teardown(() => provider[Symbol.asyncDispose]())
  const failures: LogLine[] = []
  const server = await startReference(t, {
    accounts,
    bodyLimitBytes: bodyLimit,
    providers: provider.providers,
    log: (line) => line.level === 'error' && failures.push(line),
    ...options,
  })
  return { ...server, failures }
}
