import type { Report } from '../../../spec/model/report.js'
import type { TestedClient } from '../../drivers/host/host-client.js'
import type { ClientEnvironment, SignInReport } from '../../judge/client/observed-sign-in.js'
import type { ClientOptions } from './options.js'

export interface AssayClientOptions
  extends Omit<ClientOptions, 'onPlan' | 'onResult' | 'reproduce' | 'replay'> {
  /** Milliseconds for one sign-in. Default: 30,000. */
  readonly timeoutMs?: number
}

/**
 * Holds a client inside this process to the contract, as `token-assay client` does with a command, and gives the object
 * of `report.json`.
 *
 * @param run signs in once: resolves where it is signed in, perhaps with what it knows of the sign-in, and rejects where
 *   it is not
 * @throws AssayError for a pattern that matches nothing
 */
export async function assayClient(
  run: (environment: ClientEnvironment, signal: AbortSignal) => Promise<SignInReport | void>,
  { timeoutMs = 30_000, ...options }: AssayClientOptions = {},
): Promise<Report> {
  const client: TestedClient = async (environment, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const outOfTime = new Promise<never>((_, reject) => {
      timeout.addEventListener('abort', () => reject(timeout.reason))
    })
    try {
      const reported = await Promise.race([run(environment, AbortSignal.any([signal, timeout])), outOfTime])
      return {
        signedIn: reported?.signedIn !== false,
        how: 'resolved',
        ...(reported === undefined ? {} : { reported }),
      }
    } catch (error) {
      const how = `rejected with ${error instanceof Error ? error.message : String(error)}`
      if (!timeout.aborted) return { signedIn: false, how }
      return {
        signedIn: false,
        how,
        outOfTime: true,
        problem: `it did not end in ${timeoutMs / 1000} seconds`,
      }
    }
  }
  // Loaded on demand, as `assess` does: hardly any program needs it beside the reference server.
  const { assessClient } = await import('./assess-client.js')
  return assessClient(client, options)
}
