import type { WireRequest } from '../../../exchange/exchange.js'
import { HttpResponse } from '../../../exchange/http-response.js'
import { basePathOf } from '../../../target/base-path.js'
import { createExecutor } from '../transport/executor.js'
import { Semaphore } from '../transport/request-queue.js'

/** Short: a person is waiting, and little depends on the answer. */
const TIMEOUT_MS = 5000

/** A request below the base URL. */
export interface ProbeRequest extends Omit<WireRequest, 'headers'> {
  readonly contentType?: string
}

/** Sends one request: gives the answer, or a sentence that says why there is none. */
export type Ask = (question: ProbeRequest) => Promise<HttpResponse | string>

/** Sends requests to the service at a base URL, one at a time; closes its connections at the end. */
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
    // Never repeated: a busy service is left alone.
    const exchange = await executor.send(
      { ...question, path: `${basePath}${path}`, headers },
      { resend: false },
    )
    const { response, failure } = exchange
    if (response === undefined) return failure?.message ?? 'There was no answer.'
    return new HttpResponse({ ...exchange, response })
  }
  try {
    return await use(ask)
  } finally {
    await executor.close()
  }
}
