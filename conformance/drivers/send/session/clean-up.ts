import { inParallel } from '../../../../spec/model/items.js'
import type { AccountCount } from '../../../../spec/model/report.js'
import { prepareRequest } from '../../../exchange/template.js'
import { Semaphore } from '../transport/request-queue.js'
import { templatesOf } from './send.js'
import { channelTo, type Session } from './session.js'

/** The longest that cleaning up may take. */
const TIMEOUT_MS = 30_000
/** The same after the run was stopped: no long wait that an answer asks for. */
const TIMEOUT_STOPPED_MS = 3000
const CONCURRENCY = 8

/** Sends the target's clean-up request for every account that the run made. @returns what came of it */
export async function cleanUp({ deployment, registered, lost, run }: Session): Promise<AccountCount> {
  const request = deployment.registration?.cleanUp
  const made = { deployment: deployment.name, made: registered.length }
  if (request === undefined || registered.length + lost.length === 0)
    return { ...made, removed: 0, cleanUpFailed: 0 }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), run.signal.aborted ? TIMEOUT_STOPPED_MS : TIMEOUT_MS)
  const stopSoon = (): void => void setTimeout(() => deadline.abort(), TIMEOUT_STOPPED_MS).unref()
  run.signal.addEventListener('abort', stopSoon)
  const { executor, basePath } = channelTo(deployment, {
    limit: new Semaphore(CONCURRENCY),
    signal: deadline.signal,
  })
  const { template, shownTemplate } = templatesOf(request)
  try {
    const failures = new Map<number, string>()
    // Those that were lost may be there or not: only what is known to be there can fail to be removed.
    await inParallel([...[...registered, ...lost].entries()], CONCURRENCY, async ([index, candidate]) => {
      const prepared = prepareRequest(template, { ...candidate }, basePath, shownTemplate)
      const { response, failure } = await executor.send(prepared.wire)
      if (response !== undefined && response.status >= 200 && response.status <= 299) return
      if (index >= registered.length) return
      const answer = response === undefined ? failure?.message : `answered ${response.status}`
      failures.set(index, `${prepared.method} ${prepared.shownPath}: ${answer ?? 'no answer'}`)
    })
    const [first] = [...failures].sort(([a], [b]) => a - b)
    return {
      ...made,
      removed: registered.length - failures.size,
      cleanUpFailed: failures.size,
      ...(first === undefined ? {} : { firstFailure: run.redactor.text(first[1]) }),
    }
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', stopSoon)
    await executor.close()
  }
}
