/** What the control page shows, as its script gets it. The reference server says what it is. */

/** An entry of the journal: its other members are shown as they are. */
export interface EntryView {
  readonly id: number
  readonly atMs: number
  readonly method: string
  readonly path: string
  /** 0: no answer was sent. */
  readonly status: number
  readonly userName?: string | undefined
  readonly refusal?: string | undefined
  readonly reason?: string | undefined
}

/** A piece of the journal, oldest first. */
export interface JournalPiece {
  readonly entries: readonly EntryView[]
  /** The id of the oldest entry of the whole journal; 0: it is empty. */
  readonly first: number
}

/** One store of the server: its own, or a scope's. */
export interface ControlPageState {
  readonly url: string
  /** Of the store's clock, in milliseconds since the epoch. */
  readonly nowMs: number
  readonly machineMs: number
  /** Names of all scopes of the server. */
  readonly scopes: readonly string[]
  readonly accounts: {
    readonly count: number
    /** The first of them. */
    readonly list: readonly {
      readonly userName: string
      readonly email?: string | undefined
      readonly userId: string
    }[]
  }
  readonly faults: readonly { readonly id: string; readonly hits: number }[]
  readonly hooks: readonly { readonly id: string }[]
  readonly settings: object
  /** What came since the page last asked; `isAnother`: it replaces what the page has. */
  readonly journal: JournalPiece & { readonly isAnother: boolean }
}
