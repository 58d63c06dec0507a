import type { Deployment } from '../deployment.js'
import type { Redactor } from '../evidence/redact.js'
import { createExecutor, type Executor, type Semaphore } from '../execute.js'
import { Answer } from '../wire/answer.js'
import type { Candidate } from './fresh-account.js'
import type { Channel, KeepExchanges, Sent, Session } from './session.js'

export interface SessionOptions {
  readonly strict: boolean
  readonly keepExchanges: KeepExchanges
  readonly runNonce: string
  readonly redactor: Redactor
  /** Exchanges in flight, over the whole run. */
  readonly limit: Semaphore
  readonly signal: AbortSignal
  readonly sibling: Deployment | undefined
  /** Hears of every answer. */
  readonly onSent: (sent: Sent, caseId: string) => void
}

/** A session with what must be put away after it. */
export interface OpenSession {
  readonly session: Session
  /** What was registered, in the order of registration. */
  readonly registered: readonly Candidate[]
  close(): Promise<void>
}

export function openSession(deployment: Deployment, options: SessionOptions): OpenSession {
  const { redactor, signal, sibling } = options
  const executors = new Map<string, Executor>()
  const open = (name: string, make: () => Executor): Executor => {
    const executor = executors.get(name) ?? make()
    executors.set(name, executor)
    return executor
  }
  const channelTo = (to: Deployment): Channel => ({
    executor: open(to.name, () => executorFor(to, options)),
    basePath: basePathOf(to),
    target: to,
  })
  const registered: Candidate[] = []
  const counts = new Map<string, number>()
  const session: Session = {
    ...channelTo(deployment),
    deployment,
    redactor,
    runNonce: options.runNonce,
    strict: options.strict,
    keepExchanges: options.keepExchanges,
    refusedAccounts: new Map(),
    ...(sibling === undefined ? {} : { sibling: () => channelTo(sibling) }),
    elsewhere: (url) => {
      const { origin } = new URL(url)
      const target = { accounts: deployment.accounts, baseUrl: origin, headers: [] }
      const executor = open(origin, () =>
        createExecutor({
          origin,
          timeoutMs: deployment.timeoutMs,
          headers: [],
          limit: options.limit,
          signal,
        }),
      )
      return { executor, basePath: '', target }
    },
    onSent: (sent, caseId) => {
      const token = sent.answer instanceof Answer ? sent.answer.member('access_token')?.value : undefined
      if (token?.kind === 'string') redactor.learnToken(token.value)
      // What another deployment or a provider answered says nothing of this one.
      if (sent.target === deployment) options.onSent(sent, caseId)
    },
    onRegistered: (candidate) => registered.push(candidate),
    count: (caseId) => {
      const count = counts.get(caseId) ?? 0
      counts.set(caseId, count + 1)
      return count
    },
    wait: (ms) => wait(ms, signal),
  }
  return {
    session,
    registered,
    close: async () => {
      await Promise.all([...executors.values()].map((executor) => executor.close()))
    },
  }
}

/** An executor for one deployment. */
export function executorFor(
  deployment: Deployment,
  { limit, signal }: Pick<SessionOptions, 'limit' | 'signal'>,
): Executor {
  const { timeoutMs, headers, tls, maxRequestsPerSecond } = deployment
  return createExecutor({
    origin: new URL(deployment.baseUrl).origin,
    timeoutMs,
    headers,
    limit,
    signal,
    ...(tls === undefined ? {} : { tls }),
    ...(maxRequestsPerSecond === undefined ? {} : { maxRequestsPerSecond }),
  })
}

/** The base URL's own path, without a trailing slash. */
export function basePathOf({ baseUrl }: Pick<Deployment, 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** Waits so long, or until the run is stopped. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
