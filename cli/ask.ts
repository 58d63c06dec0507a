import type { WireRequest } from '../conformance/exchange.js'
import { createExecutor, Semaphore } from '../conformance/execute.js'
import { basePathOf } from '../conformance/session/open-session.js'
import { Answer } from '../conformance/wire/answer.js'

/** Short: somebody is waiting, and little depends on the answer. */
const TIMEOUT_MS = 5000

/** A request below the base URL. */
export interface Question extends Omit<WireRequest, 'headers'> {
  readonly contentType?: string
}

/** Sends one request; the answer, or the sentence that says why there is none. */
export type Ask = (question: Question) => Promise<Answer | string>

/** Asks the service at a base URL, one request at a time, and closes what was opened. */
export async function withService<T>(baseUrl: string, use: (ask: Ask) => Promise<T>): Promise<T> {
  const executor = createExecutor({
    origin: new URL(baseUrl).origin,
    timeoutMs: TIMEOUT_MS,
    headers: [],
    limit: new Semaphore(1),
    signal: new AbortController().signal,
  })
  const basePath = basePathOf({ baseUrl })
  const ask: Ask = async ({ contentType, path, ...question }) => {
    const headers = contentType === undefined ? [] : [['Content-Type', contentType] as const]
    // Once: a service that asks to be left alone is left alone.
    const exchange = await executor.send(
      { ...question, path: `${basePath}${path}`, headers },
      { resend: false },
    )
    const { response, failure } = exchange
    if (response === undefined) return failure?.message ?? 'There was no answer.'
    return new Answer({ ...exchange, response })
  }
  try {
    return await use(ask)
  } finally {
    await executor.close()
  }
}
