import { AssayError } from '../../../spec/model/assay-error.js'
import { defined } from '../../../spec/model/items.js'
import type { Report } from '../../../spec/model/report.js'
import type { TestedClient } from '../../drivers/host/host-client.js'
import { ClientCut, type ClientEnvironment, type SignInReport } from '../../judge/client/observed-sign-in.js'
import { ASSAY_CLIENT_OPTIONS, checkOptions } from '../check-options.js'
import type { AssayClientOptions } from './options.js'

/**
 * Holds a client inside this process to the contract, as `token-assay client` does with a command, and gives the object
 * of `report.json`.
 *
 * @param run signs in once: resolves where it is signed in, perhaps with what it knows of the sign-in, and rejects where
 *   it is not
 * @throws AssayError `usage` for an option that is not usable, `nothing-matches` for a pattern that matches nothing
 */
export async function assayClient(
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing reports nothing
  run: (environment: ClientEnvironment, signal: AbortSignal) => Promise<SignInReport | void>,
  options: AssayClientOptions = {},
): Promise<Report> {
  if (typeof run !== 'function') throw new AssayError('usage', 'the client: expected a function')
  checkOptions(options, ASSAY_CLIENT_OPTIONS)
  const { timeoutMs = 30_000, ...others } = options
  // Loaded on demand, as `assess` does: hardly any program needs it beside the reference server.
  const { assessClient } = await import('./assess-client.js')
  return assessClient(functionClient(run, timeoutMs), { ...others, inProcess: true })
}

/** What it reports, as a line of JSON would have it: a session may hold anything beside. */
function reportOf({ signedIn, userName, expiresAt }: SignInReport): SignInReport {
  return defined({ signedIn, userName: plain(userName), expiresAt: plain(expiresAt) })
}

function plain<T>(value: T): T | string {
  if (value instanceof Date) return String(value.toJSON())
  if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return value
  try {
    return JSON.stringify(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'what has no readable message'
  }
}

/** A function as a client: its signal is aborted when its time is up, and when the suite ends it. */
function functionClient(run: Parameters<typeof assayClient>[0], timeoutMs: number): TestedClient {
  return async (environment, signal) => {
    // Not `AbortSignal.any`: what it makes may be collected before it is aborted.
    const stop = new AbortController()
    const ended = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
    })
    ended.catch(() => undefined)
    const problem = `it did not end in ${timeoutMs / 1000} seconds`
    const timer = setTimeout(() => stop.abort(new DOMException(problem, 'TimeoutError')), timeoutMs)
    const onAbort = (): void => stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    try {
      const reported = await Promise.race([run(environment, stop.signal), ended])
      return {
        signedIn: reported?.signedIn !== false,
        how: 'resolved',
        ...(reported ? { reported: reportOf(reported) } : {}),
      }
    } catch (error) {
      if (error instanceof ClientCut) return { signedIn: false, how: 'not settled', problem: error.message }
      const how = `rejected with ${messageOf(error)}`
      const isLate = stop.signal.aborted && !signal.aborted
      return { signedIn: false, how, ...(isLate ? { outOfTime: true, problem } : {}) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }
}
