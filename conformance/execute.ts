import { setMaxListeners } from 'node:events'
// Its index would load a hundred modules more, of fetch and web sockets, at each start.
import Client from 'undici/lib/dispatcher/client.js'
import type { ConnectionOptions } from './exchange/connection.js'
import type { Executor, ExecutorOptions, SendOptions } from './exchange/executor.js'
import { failure } from './exchange/failures.js'
import { Line } from './exchange/line.js'
import { asksToRetry } from './exchange/retry-after.js'
import { whyHeadersUnsendable, whyUnsendable } from './exchange/sendable.js'
import { type Sending, unsent } from './exchange/sending.js'
import type { Exchange, WireRequest } from './exchange.js'

export type { Clock } from './exchange/clock.js'
export type { Executor, ExecutorOptions, SendOptions } from './exchange/executor.js'
export { Semaphore } from './exchange/semaphore.js'

const defaultMaxBodyBytes = 1024 * 1024
const mostRetries = 5
const rateLimited = failure('rate-limited', `It was still asked to wait after ${mostRetries} more sendings.`)
const connectionClosed = 'the re-used connection was closed'

/** One executor for each deployment, with one limit of exchanges in flight over all. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { headers, signal } = options
  const line = new Line(options, connectionOptions(options))
  const headersFault = whyHeadersUnsendable(headers)
  const stop = () => line.stop()
  // One for each deployment is no leak.
  setMaxListeners(0, signal)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  return {
    async send(request, options) {
      const fault = headersFault ?? whyUnsendable(request)
      return fault === undefined
        ? sendUntilAnswered(line, request, options)
        : unsent(request, failure('unsendable', fault))
    },
    get silent() {
      return line.silent
    },
    close() {
      signal.removeEventListener('abort', stop)
      stop()
      return line.ended()
    },
  }
}

async function sendUntilAnswered(line: Line, request: WireRequest, options?: SendOptions): Promise<Exchange> {
  const resend = options?.resend ?? true
  const freshOnly = options?.freshConnection ?? false
  let fresh = freshOnly
  let retries = 0
  let resent: Exchange['resent']
  for (;;) {
    const sending = await line.send(request, fresh, retries + 1)
    const reason = resend ? whyResend(sending) : undefined
    if (reason === undefined) return withResent(sending.exchange, resent)
    if (reason === connectionClosed) fresh = true
    else if (retries === mostRetries) return withResent({ ...sending.exchange, failure: rateLimited }, resent)
    else retries++
    resent = sentAgain(resent, reason)
  }
}

function whyResend({ exchange, reused }: Sending): string | undefined {
  const { response, failure } = exchange
  if (response !== undefined) return asksToRetry(response) ? `the answer was ${response.status}` : undefined
  return reused && failure?.kind === 'reset' ? connectionClosed : undefined
}

function sentAgain(before: Exchange['resent'], reason: string): Exchange['resent'] {
  if (before === undefined) return { times: 1, why: reason }
  const why = before.why.includes(reason) ? before.why : `${before.why}; ${reason}`
  return { times: before.times + 1, why }
}

function withResent(exchange: Exchange, resent: Exchange['resent']): Exchange {
  return resent === undefined ? exchange : { ...exchange, resent }
}

function connectionOptions(options: ExecutorOptions): ConnectionOptions {
  const { origin, tls, timeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options
  return {
    // Its own time-outs are coarse, and off: every exchange has a deadline of ours, which ends the connection.
    transport: (connect) => new Client(origin, { connect, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }),
    ...(tls === undefined ? {} : { tls }),
    secure: origin.startsWith('https:'),
    timeoutMs,
    maxBodyBytes,
  }
}
