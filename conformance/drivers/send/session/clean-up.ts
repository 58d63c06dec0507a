import { inParallel } from '../../../../spec/model/items.js'
import type { AccountCount } from '../../../../spec/model/report.js'
import { prepareRequest } from '../../../exchange/template.js'
import type { Deployment, TargetRequest } from '../../../target/deployment.js'
import { Semaphore } from '../transport/request-queue.js'
import { leftAccount, type Removable, tellAccount } from './left-account.js'
import { templatesOf } from './send.js'
import { channelTo, type Session, wait } from './session.js'

/** The longest that cleaning up may take, pauses apart. */
const TIMEOUT_MS = 30_000
/** The same after the run was stopped: no long wait that an answer asks for. */
const TIMEOUT_STOPPED_MS = 3000
const CONCURRENCY = 8
/** After a stop, before the first request for an account whose registration was under way. */
const SETTLE_MS = 1000
/** Before each further try: a service that has just been tested may need a moment. */
const PAUSES_MS = [250, 1000, 3000] as const
/** Where so many fail in a row, the others of this try would too. */
const MAX_IN_A_ROW = 2 * CONCURRENCY
const NAMELESS = 'not sent: a request with a name that is empty or dots may remove every account'

export interface Removal<T extends Removable> {
  readonly left: readonly T[]
  /** Of these, those that the service knows nothing of: it answers 404 or 410. */
  readonly unknown: readonly T[]
  /** The first request that failed, with its answer. */
  readonly firstFailure?: string
}

/** Sends the target's clean-up request for every account that the run made. @returns what came of it */
export async function cleanUp(session: Session): Promise<AccountCount> {
  const { deployment, registered, unanswered, run } = session
  const { name, registration } = deployment
  const leave = (left: readonly Removable[]): Pick<AccountCount, 'left'> =>
    left.length === 0 ? {} : { left: left.map((account) => leftAccount(account, deployment)) }
  const all = [...registered, ...unanswered]
  if (registration?.cleanUp === undefined)
    return { deployment: name, made: all.length, removed: 0, cleanUpFailed: 0, ...leave(all) }
  // One request may name an account of both lists: a name that was registered twice.
  const known = await removeAccounts(deployment, registered, run.signal, { onRemoved: onRemovedIn(session) })
  const open = await removeUnanswered(session)
  const left = [...known.left, ...open.left]
  const made = all.length - open.unknown.length
  const firstFailure = known.firstFailure ?? open.firstFailure
  return {
    deployment: name,
    made,
    removed: made - left.length,
    cleanUpFailed: left.length,
    ...(firstFailure === undefined ? {} : { firstFailure: run.redactor.text(firstFailure) }),
    ...leave(left),
  }
}

function onRemovedIn(session: Session): (account: Removable) => void {
  return (account) => tellAccount(session, account, 'removed')
}

/** A service may finish what it has begun after the run has stopped waiting for it. */
async function removeUnanswered(session: Session): Promise<Removal<Removable>> {
  const { deployment, unanswered, run } = session
  if (unanswered.length > 0 && run.signal.aborted) await wait(SETTLE_MS, new AbortController().signal)
  const pausesMs = PAUSES_MS.slice(0, 2)
  const { left, unknown, firstFailure } = await removeAccounts(deployment, unanswered, run.signal, {
    pausesMs,
    onRemoved: onRemovedIn(session),
  })
  for (const account of unknown) tellAccount(session, account, 'unknown')
  const known = left.filter((one) => !unknown.includes(one))
  return { left: known, unknown, ...(known.length === 0 ? {} : { firstFailure }) }
}

export interface RemovalOptions<T> {
  /** Before each further try. */
  readonly pausesMs?: readonly number[]
  /** Ends once no account was removed, or found to be gone, for so long. Default: ends after 30 s in all. */
  readonly idleMs?: number
  /** Called for each as soon as it is removed. */
  readonly onRemoved?: (account: T) => void
}

/** Removes accounts, and tries those again that could not be removed. */
export async function removeAccounts<T extends Removable>(
  deployment: Deployment,
  accounts: readonly T[],
  stop: AbortSignal,
  options: RemovalOptions<T> = {},
): Promise<Removal<T>> {
  const { pausesMs = PAUSES_MS, idleMs, onRemoved } = options
  const request = deployment.registration?.cleanUp
  if (request === undefined || accounts.length === 0) return { left: accounts, unknown: [] }
  const nameless = accounts.filter((account) => isNameless(account, request))
  if (nameless.length > 0) {
    const named = accounts.filter((account) => !nameless.includes(account))
    const { left, unknown, firstFailure } = await removeAccounts(deployment, named, stop, options)
    return { left: [...left, ...nameless], unknown, firstFailure: firstFailure ?? NAMELESS }
  }
  using deadline = deadlineOf(stop, idleMs)
  const { executor, basePath } = channelTo(deployment, {
    limit: new Semaphore(CONCURRENCY),
    signal: deadline.signal,
  })
  const { template, shownTemplate } = templatesOf(request)
  const prepare = ({ userName, email, password }: T) =>
    prepareRequest(template, { userName, email, password }, basePath, shownTemplate)
  // Where a name was registered twice, one request removes it.
  const distinct = new Map(accounts.map((account) => [JSON.stringify(prepare(account).wire), account]))
  const remove = async (account: T): Promise<Failure | undefined> => {
    const prepared = prepare(account)
    // Not sent again by itself: whether a removal was lost is seen by what is answered to the next one.
    const { response, failure } = await executor.send(prepared.wire, { once: true })
    const isUnknown = response?.status === 404 || response?.status === 410
    const isRemoved = response !== undefined && response.status >= 200 && response.status <= 299
    if (isRemoved || isUnknown) deadline.progressed()
    if (isRemoved) return undefined
    const unanswered = deadline.signal.aborted ? noTime(stop.aborted, idleMs) : failure?.message
    const answer = response === undefined ? unanswered : `answered ${response.status}`
    const reason = `${prepared.method} ${prepared.shownPath}: ${answer ?? 'no answer'}`
    return { reason, isUnknown }
  }
  try {
    let failures = await removeEach(distinct.values(), remove, onRemoved)
    let before = Number.POSITIVE_INFINITY
    for (let at = 0; failures.size > 0; at++) {
      // A service may take a few at a time.
      const goesOn = idleMs !== undefined && failures.size < before
      const pauseMs = pausesMs[at] ?? (goesOn ? pausesMs.at(-1) : undefined)
      if (pauseMs === undefined) break
      await wait(pauseMs, deadline.signal)
      if (deadline.signal.aborted) break
      before = failures.size
      failures = await removeAgain(failures, remove, onRemoved)
    }
    const [first] = failures.values()
    return {
      left: [...failures.keys()],
      unknown: [...failures].flatMap(([account, { isUnknown }]) => (isUnknown ? [account] : [])),
      ...(first === undefined ? {} : { firstFailure: first.reason }),
    }
  } finally {
    await executor.close()
  }
}

interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** An account is gone: the idle time begins anew. */
  readonly progressed: () => void
}

function deadlineOf(stop: AbortSignal, idleMs: number | undefined): Deadline {
  const deadline = new AbortController()
  const abort = (): void => deadline.abort()
  const timer = setTimeout(abort, stop.aborted ? TIMEOUT_STOPPED_MS : (idleMs ?? TIMEOUT_MS))
  const stopSoon = (): void => void setTimeout(abort, TIMEOUT_STOPPED_MS).unref()
  stop.addEventListener('abort', stopSoon)
  return {
    signal: deadline.signal,
    progressed: () => {
      if (idleMs !== undefined && !stop.aborted) timer.refresh()
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', stopSoon)
    },
  }
}

function noTime(isStopped: boolean, idleMs: number | undefined): string {
  if (isStopped) return `not done in the ${TIMEOUT_STOPPED_MS / 1000} s after a stop`
  return idleMs === undefined
    ? `not done in the ${TIMEOUT_MS / 1000} s that removing accounts may take`
    : `not done: no account was removed for ${idleMs / 1000} s`
}

/** Whether the request may mean all accounts, as `DELETE /accounts/` or `DELETE /accounts/..` do. */
function isNameless({ userName, email }: Removable, request: TargetRequest): boolean {
  const text = JSON.stringify(request)
  const names = [
    ...(text.includes('$userName') ? [userName] : []),
    ...(text.includes('$email') ? [email] : []),
  ]
  return names.some(({ wire }) => ['', '.', '..'].includes(wire.trim()))
}

interface Failure {
  readonly reason: string
  readonly isUnknown: boolean
}

type Remove<T> = (account: T) => Promise<Failure | undefined>

/** @returns what failed, in the order of the accounts */
async function removeEach<T>(
  accounts: Iterable<T>,
  remove: Remove<T>,
  onRemoved?: (account: T) => void,
): Promise<ReadonlyMap<T, Failure>> {
  const all = [...accounts]
  const failures = new Map<T, Failure>()
  await inParallel(all, CONCURRENCY, async (account) => {
    const failure = await remove(account)
    if (failure === undefined) onRemoved?.(account)
    else failures.set(account, failure)
  })
  const places = new Map(all.map((account, place) => [account, place]))
  return new Map([...failures].sort(([a], [b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0)))
}

/** Where many fail in a row, the others stay as they are. */
async function removeAgain<T>(
  before: ReadonlyMap<T, Failure>,
  remove: Remove<T>,
  onRemoved?: (account: T) => void,
): Promise<ReadonlyMap<T, Failure>> {
  let inARow = 0
  const again: Remove<T> = async (account) => {
    const known = before.get(account)
    if (inARow >= MAX_IN_A_ROW) return known
    const answered = await remove(account)
    // The answer before was late or lost: the account was gone by then.
    const failure = answered?.isUnknown && known?.isUnknown === false ? undefined : answered
    inARow = failure === undefined ? 0 : inARow + 1
    return failure
  }
  return removeEach(before.keys(), again, onRemoved)
}
