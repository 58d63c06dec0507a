import type { ControlPageState, JournalPiece } from '../../pages/control/page-state.js'
import type { ServerControl, Store } from '../store/control.js'
import type { Journal, JournalEntry } from '../store/journal.js'

/** Of a longer journal the page asks for more, of longer lists it shows how many there are. */
const MAX_ENTRIES = 1000
/** So many fill the window several times, and are there at once. */
const FIRST_ENTRIES = 200
const MAX_ACCOUNTS = 100

/** All that the page shows of a store, and of the journal what it has not seen. */
export function pageState(server: ServerControl, store: Store, query: URLSearchParams): ControlPageState {
  const accounts = store.accounts.list()
  return {
    url: store.url,
    nowMs: store.clock.now(),
    machineMs: Date.now(),
    scopes: server.scopes.list(),
    accounts: { count: accounts.length, list: accounts.slice(0, MAX_ACCOUNTS) },
    faults: store.faults.list(),
    hooks: store.hooks.list(),
    settings: store.settings.get(),
    journal: since(store.journal, Number(query.get('seen') ?? 0), Number(query.get('at'))),
  }
}

/** Entries before one that the page has, the latest of them. */
export function olderEntries({ journal }: Store, query: URLSearchParams): JournalPiece {
  const entries = journal.entries()
  const before = entries.filter(({ id }) => id < Number(query.get('before')))
  return { entries: before.slice(-MAX_ENTRIES), first: entries[0]?.id ?? 0 }
}

/**
 * What came since the entry of this id and time. Ids begin anew with a reset: where that entry is not there any more, or is
 * another one, the page begins anew as well.
 */
function since(journal: Journal, seenId: number, seenAtMs: number): ControlPageState['journal'] {
  const entries = journal.entries()
  const first = entries[0]?.id ?? 0
  // Without gaps: an entry's place is known by its id.
  const seen: JournalEntry | undefined = entries[seenId - first]
  const isKnown = seenId === 0 ? entries.length === 0 : seen?.id === seenId && seen.atMs === seenAtMs
  const fresh = isKnown ? entries.slice(seenId - first + 1) : entries
  // More than is sent at once: the page begins with the latest, and asks for the older ones when it is asked to.
  const isAnother = !isKnown || fresh.length > MAX_ENTRIES
  return { entries: fresh.slice(isAnother ? -FIRST_ENTRIES : 0), first, isAnother }
}
