/** One exchange, redacted: no query, header or body is kept. */
export interface JournalEntry {
  /** Milliseconds since the epoch, by the service's clock. */
  readonly atMs: number
  readonly method: string
  /** Without its query, cut to 256 characters. */
  readonly path: string
  readonly status: number
  /** Why it was refused, in words. */
  readonly reason?: string
}

/** The latest exchanges; the oldest are forgotten beyond the limit. */
export interface Journal {
  /** Oldest first. */
  entries(): readonly JournalEntry[]
  /** Forgets all entries. */
  clear(): void
}

export interface WritableJournal extends Journal {
  write(entry: JournalEntry): void
}

const longestPath = 256

export function createJournal(limit: number): WritableJournal {
  let entries: JournalEntry[] = []
  return {
    entries: () => entries.slice(-limit),
    clear() {
      entries = []
    },
    write(entry) {
      entries.push({ ...entry, path: entry.path.slice(0, longestPath) })
      // Trimmed in halves: shifting a long array for every request would cost more than the request.
      if (entries.length >= limit * 2) entries = entries.slice(-limit)
    },
  }
}
