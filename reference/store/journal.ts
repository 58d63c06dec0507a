import { ControlError } from '../control-error.js'
import { readControlInput } from '../input/read-control-input.js'
import type { Refusal } from '../refusal.js'

/** One exchange, redacted: no query, header, token or body is kept, and of parameters only what a server knows itself. */
export interface JournalEntry {
  /** 1, 2, … since the start or the last reset. */
  readonly id: number
  /** Milliseconds since the epoch, by the service's clock. */
  readonly atMs: number
  readonly method: string
  /** Without its query, what looks like parameters, and what looks like a token; cut to 256 characters. */
  readonly path: string
  /** Of the answer; 0 where none was sent. */
  readonly status: number
  /** Whose account it was: who got a token, or was refused one. Absent where no account has the name. */
  readonly userName?: string
  /** Why it was refused: a stable word for programs. */
  readonly refusal?: Refusal
  /** The same in words for people. */
  readonly reason?: string
  /** Of a refused request: the media type, where it is a usual one. */
  readonly contentType?: string
  /** Of a refused request: its parameters, those that may be shown with their values. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly faults?: readonly string[]
  /** The ids of the hooks that made its answer. */
  readonly hooks?: readonly string[]
  /** What they sent: cut, and without tokens and passwords in plain text. */
  readonly sent?: SentAnswer
}

/** An answer that a hook sent. */
export interface SentAnswer {
  readonly status: number
  /** At most 20. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 1,024 characters, then `…`. */
  readonly body: string
}

/** Matches when every given field matches. */
export interface JournalMatch {
  readonly method?: string
  /** Of a path that is longer than an entry tells, the beginning counts. */
  readonly path?: string
  readonly status?: number
  readonly userName?: string
  readonly refusal?: Refusal
  /** Only entries with a greater id. Default 0. */
  readonly after?: number
}

/** How long is waited. */
export interface WaitLimits {
  /** At most 600,000. Default 5,000. */
  readonly timeoutMs?: number
}

export interface WaitOptions extends WaitLimits {
  /** Ends the wait; what is thrown then is its reason. */
  readonly signal?: AbortSignal
}

/** The latest exchanges; the oldest are forgotten beyond the limit. */
export interface Journal {
  /** Oldest first. */
  entries(): readonly JournalEntry[]
  /** Forgets all entries. */
  clear(): void
  /**
   * The first entry that matches, among those that there are and those to come.
   * @throws ControlError `timeout` where none has come, `stopped` when the server stops or has stopped, `full` beyond 100
   * waiting, `bad-request`; or what the function that was given throws
   */
  waitFor(
    match: JournalMatch | ((entry: JournalEntry) => boolean),
    options?: WaitOptions,
  ): Promise<JournalEntry>
}

/** Where entries are written. */
export interface WritableJournal extends Journal {
  write(entry: Omit<JournalEntry, 'id'>): JournalEntry
  /** Entries are kept, or waited for. */
  readonly isRead: boolean
  /** Those who wait, or will, learn why nothing comes any more. */
  stop(reason: ControlError): void
}

const MAX_PATH = 256
const MAX_WAITERS = 100
type Accepts = (entry: JournalEntry) => boolean

interface Waiter {
  /** Ends the wait where this is the entry. */
  readonly offer: (entry: JournalEntry) => void
  readonly fail: (reason: unknown) => void
}

/** A journal of at most `limit` entries; of none, they can be waited for. */
export function createJournal(limit: number): WritableJournal {
  let entries: JournalEntry[] = []
  let lastId = 0
  let stopped: ControlError | undefined
  const waiters = new Set<Waiter>()

  const waitFor: Journal['waitFor'] = async (match, { signal, ...limits } = {}) => {
    const wait = readWait(typeof match === 'function' ? {} : match, limits)
    const accepts = typeof match === 'function' ? match : matcher(wait.match)
    const { timeoutMs } = wait
    if (stopped !== undefined) throw stopped
    signal?.throwIfAborted()
    const found = entries.slice(-limit).find(accepts)
    if (found !== undefined) return found
    if (waiters.size >= MAX_WAITERS)
      throw new ControlError('full', `${MAX_WAITERS} are waiting for an entry already`)
    return nextEntry(waiters, accepts, timeoutMs, signal)
  }

  return {
    get isRead() {
      return limit > 0 || waiters.size > 0
    },
    entries: () => entries.slice(-limit),
    clear() {
      entries = []
      lastId = 0
    },
    waitFor,
    write(given) {
      lastId += 1
      // In memory of its own: a slice would keep the whole of a long target.
      const path = Buffer.from(shownPath(given.path).slice(0, MAX_PATH)).toString()
      const entry = { id: lastId, ...given, path }
      if (limit > 0) entries.push(entry)
      // Trimmed in halves: shifting a long array for every request would cost more than the request.
      if (entries.length > limit * 2) entries = entries.slice(-limit)
      for (const waiter of waiters) waiter.offer(entry)
      return entry
    },
    stop(reason) {
      stopped ??= reason
      for (const waiter of waiters) waiter.fail(stopped)
    },
  }
}

/** The next entry that is accepted, from a waiter of these. */
function nextEntry(
  waiters: Set<Waiter>,
  accepts: Accepts,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<JournalEntry> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      waiters.delete(waiter)
    }
    const fail = (reason: unknown): void => {
      leave()
      reject(reason)
    }
    const waiter: Waiter = {
      fail,
      offer(entry) {
        try {
          if (!accepts(entry)) return
          leave()
          resolve(entry)
        } catch (error) {
          // A test's own function: its error goes to the test, not to the client.
          fail(error)
        }
      },
    }
    const abort = (): void => fail(signal?.reason)
    const timer = setTimeout(
      () => fail(new ControlError('timeout', `no such exchange came within ${timeoutMs} ms`)),
      timeoutMs,
    )
    signal?.addEventListener('abort', abort)
    waiters.add(waiter)
  })
}

interface JournalWait {
  readonly match: JournalMatch
  readonly timeoutMs: number
}

/** @throws ControlError `bad-request` naming what is wrong */
export function readWait(match: JournalMatch, limits: WaitLimits): JournalWait {
  // Nothing is not everything: a function, as what JSON leaves out, must not match each entry.
  const wait = readControlInput<Partial<JournalWait>>('wait', { ...limits, match: match ?? null })
  return { match: {}, timeoutMs: 5000, ...wait }
}

/** A client that encodes `?` has a password in the path, and one that joins texts a token. */
function shownPath(path: string): string {
  return path
    .replace(/(?:[;&=]|%3b|%3f|%26|%3d).*/is, '…')
    .replace(/(?<![\w.~-])(?=[\w.~-]*\d)[\w.~-]{32,}/g, '…')
}

function matcher({ after = 0, ...wanted }: JournalMatch): Accepts {
  const path = wanted.path === undefined ? undefined : shownPath(wanted.path).slice(0, MAX_PATH)
  return (entry) =>
    entry.id > after &&
    (wanted.method === undefined || entry.method === wanted.method) &&
    (path === undefined || entry.path === path) &&
    (wanted.status === undefined || entry.status === wanted.status) &&
    (wanted.userName === undefined || entry.userName === wanted.userName) &&
    (wanted.refusal === undefined || entry.refusal === wanted.refusal)
}
