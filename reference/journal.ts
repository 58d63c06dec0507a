import { ControlError } from './control/control-error.js'
import type { Refusal } from './refusal.js'

/** One exchange, redacted: no query, header, token or body is kept, and of parameters only what a server knows itself. */
export interface JournalEntry {
  /** 1, 2, … since the start or the last reset. */
  readonly id: number
  /** Milliseconds since the epoch, by the service's clock. */
  readonly atMs: number
  readonly method: string
  /** Without its query, cut to 256 characters. */
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
  /** The ids of the faults that it met. */
  readonly faults?: readonly string[]
}

/** Which entries; all that is said must be true. */
export interface JournalMatch {
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly userName?: string
  readonly refusal?: Refusal
  /** Entries with a greater id alone. Default 0. */
  readonly after?: number
}

export interface WaitOptions {
  /** Default 5,000. */
  readonly timeoutMs?: number
}

/** The latest exchanges; the oldest are forgotten beyond the limit. */
export interface Journal {
  /** Oldest first. */
  entries(): readonly JournalEntry[]
  /** Forgets all entries. */
  clear(): void
  /**
   * The first entry that matches, among those that there are and those to come.
   * @throws ControlError `timeout` where none has come, `stopped` when the server stops, `full` beyond 100 waiting
   */
  waitFor(
    match: JournalMatch | ((entry: JournalEntry) => boolean),
    options?: WaitOptions,
  ): Promise<JournalEntry>
}

/** Where entries are written. */
export interface WritableJournal extends Journal {
  write(entry: Omit<JournalEntry, 'id'>): JournalEntry
  /** Whoever waits is told that the server stops. */
  stop(): void
}

const longestPath = 256
const waitersKept = 100
const longestWaitMs = 600_000

interface Waiter {
  readonly accepts: (entry: JournalEntry) => boolean
  readonly settle: (outcome: JournalEntry | ControlError) => void
}

/** A journal of at most `limit` entries. */
export function createJournal(limit: number): WritableJournal {
  let entries: JournalEntry[] = []
  let lastId = 0
  const waiters = new Set<Waiter>()

  const waitFor: Journal['waitFor'] = (match, { timeoutMs = 5000 } = {}) => {
    const accepts = typeof match === 'function' ? match : matcher(match)
    const found = entries.slice(-limit).find(accepts)
    if (found !== undefined) return Promise.resolve(found)
    if (waiters.size >= waitersKept)
      return Promise.reject(new ControlError('full', `${waitersKept} are waiting for an entry already`))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        accepts,
        settle(outcome) {
          clearTimeout(timer)
          waiters.delete(waiter)
          if (outcome instanceof ControlError) reject(outcome)
          else resolve(outcome)
        },
      }
      const timer = setTimeout(
        () => waiter.settle(new ControlError('timeout', `no such exchange came within ${timeoutMs} ms`)),
        Math.min(Math.max(timeoutMs, 0), longestWaitMs),
      )
      waiters.add(waiter)
    })
  }

  return {
    entries: () => entries.slice(-limit),
    clear() {
      entries = []
      lastId = 0
    },
    waitFor,
    write(given) {
      lastId += 1
      const entry = { id: lastId, ...given, path: given.path.slice(0, longestPath) }
      entries.push(entry)
      // Trimmed in halves: shifting a long array for every request would cost more than the request.
      if (entries.length >= limit * 2) entries = entries.slice(-limit)
      for (const waiter of waiters) if (waiter.accepts(entry)) waiter.settle(entry)
      return entry
    },
    stop() {
      for (const waiter of waiters) waiter.settle(new ControlError('stopped', 'the server is stopping'))
    },
  }
}

function matcher({ after = 0, ...wanted }: JournalMatch): (entry: JournalEntry) => boolean {
  return (entry) =>
    entry.id > after &&
    (wanted.method === undefined || entry.method === wanted.method) &&
    (wanted.path === undefined || entry.path === wanted.path) &&
    (wanted.status === undefined || entry.status === wanted.status) &&
    (wanted.userName === undefined || entry.userName === wanted.userName) &&
    (wanted.refusal === undefined || entry.refusal === wanted.refusal)
}
