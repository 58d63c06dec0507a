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
