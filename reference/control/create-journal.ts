import type { Journal, JournalEntry, JournalMatch, WritableJournal } from '../journal.js'
import { ControlError } from './control-error.js'

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
