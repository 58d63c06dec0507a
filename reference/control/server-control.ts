import type { Clock } from '../clock.js'
import type { Journal } from '../journal.js'
import type { AccountView, StoreControl } from './control.js'
import type { Faults } from './faults.js'
import type { StoreSettings } from './store-settings.js'

/** What a test does to one store of a server in the same process: at once, where `StoreControl` may take its time. */
export interface Store extends StoreControl {
  readonly clock: Clock
  /** The latest exchanges, redacted. */
  readonly journal: Journal
  readonly faults: Faults
  readonly settings: StoreSettings
  readonly accounts: Omit<StoreControl['accounts'], 'list' | 'remove'> & {
    list(): readonly AccountView[]
    remove(userName: string): boolean
  }
  reset(): void
}

/** The isolated stores of a server in the same process. */
export interface Scopes {
  list(): readonly string[]
  create(name: string): Store
  get(name: string): Store
  remove(name: string): boolean
}

/** A server in the same process is a `Control`: a test may be written for either. */
export type ServerControl = Store & { readonly scopes: Scopes }
