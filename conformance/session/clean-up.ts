import type { Deployment } from '../deployment.js'
import { Semaphore } from '../execute.js'
import type { Candidate } from './fresh-account.js'
import { basePathOf, executorFor } from './open-session.js'
import { prepareRequest } from './template.js'

/** What cleaning up may take at most, also after the run was stopped. */
const LONGEST_MS = 30_000
const AT_ONCE = 8

/**
 * Sends the target's clean-up request for every account that the run made. Best effort: what it answers is not judged.
 * @returns how many requests were answered by a 2xx or 404
 */
export async function cleanUp(deployment: Deployment, registered: readonly Candidate[]): Promise<number> {
  const request = deployment.registration?.cleanUp
  if (request === undefined || registered.length === 0) return 0
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), LONGEST_MS)
  const executor = executorFor(deployment, { limit: new Semaphore(AT_ONCE), signal: deadline.signal })
  const { method, path = '/', headers, json, form } = request
  const template = {
    method,
    path,
    ...(headers === undefined ? {} : { headers }),
    ...(json === undefined ? {} : { json }),
    ...(form === undefined ? {} : { form }),
  }
  let done = 0
  const queue = registered.values()
  const lane = async (): Promise<void> => {
    for (const candidate of queue) {
      const { wire } = prepareRequest(template, { ...candidate }, basePathOf(deployment))
      const { response } = await executor.send(wire)
      const status = response?.status ?? 0
      if ((status >= 200 && status <= 299) || status === 404) done++
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  } finally {
    clearTimeout(timer)
    await executor.close()
  }
  return done
}
