import type { Journal, JournalEntry, WaitOptions } from '../journal.js'
import type { AccountPolicy } from '../policy.js'
import type { SeedAccount } from '../seed-account.js'
import type { ChangeableSettings } from '../service.js'
import type { ExternalLogin } from '../store.js'
import type { ActiveFault, Fault } from './fault.js'
import type { JournalMatch } from './journal-match.js'

/** A server in the same process answers at once, one behind HTTP later: `await` suits both. */
export type Awaitable<T> = T | Promise<T>

/** An account, without its password. */
export interface AccountView {
  readonly userName: string
  readonly userId: string
  readonly email?: string
  readonly externalLogins?: readonly ExternalLogin[]
}

/** What is to be changed; what is left out stays. */
export type SettingsChange = Partial<Omit<ChangeableSettings, 'policy'>> & {
  readonly policy?: Partial<AccountPolicy>
}

/**
 * What a test does to one store: the server's own, or a scope's. The server in a process has these methods, and the
 * client of a control plane has the same ones; there every method answers with a promise.
 */
export interface StoreControl {
  /** The base URL, without a trailing slash, to which `/Token` is appended. */
  readonly url: string
  /**
   * Back to the accounts, settings, clock, faults and the empty journal of the start; issued tokens are forgotten.
   * A request that is being answered sees one state.
   */
  reset(): Awaitable<void>
  readonly accounts: {
    /** Those of the start first. */
    list(): Awaitable<readonly AccountView[]>
    /**
     * Its password need not keep the policy.
     * @throws ControlError `bad-request`, or `exists` where one has this name, e-mail address or sign-in
     */
    add(account: SeedAccount): Promise<AccountView>
    /** Whether there was one. Tokens that it was issued stay what they are. */
    remove(userName: string): Awaitable<boolean>
  }
  readonly clock: {
    /** Milliseconds since the epoch. */
    now(): Awaitable<number>
    /** Forward by so many seconds, or back. @throws ControlError `bad-request` outside the years 1970 to 8999 */
    advance(seconds: number): Awaitable<void>
    /** Stops it, now or at the given milliseconds since the epoch, until `reset`. */
    freeze(atMs?: number): Awaitable<void>
    /** The machine's time again. */
    reset(): Awaitable<void>
  }
  readonly faults: {
    list(): Awaitable<readonly ActiveFault[]>
    /** @throws ControlError `bad-request`, or `full` beyond 100 faults */
    add(fault: Fault): Awaitable<ActiveFault>
    /** Whether there was one. */
    remove(id: string): Awaitable<boolean>
    clear(): Awaitable<void>
  }
  readonly settings: {
    get(): Awaitable<ChangeableSettings>
    /** @throws ControlError `bad-request` */
    change(change: SettingsChange): Awaitable<ChangeableSettings>
  }
  readonly journal: {
    /** Oldest first. */
    entries(): Awaitable<readonly JournalEntry[]>
    clear(): Awaitable<void>
    waitFor(match: JournalMatch, options?: WaitOptions): ReturnType<Journal['waitFor']>
  }
}

/** The whole server: its own store, and isolated ones. */
export interface Control extends StoreControl {
  readonly scopes: {
    /** Their names. */
    list(): Awaitable<readonly string[]>
    /**
     * An isolated store with the accounts and settings of the start, for one test worker. Requests reach it at its own
     * `url`, or with the header `Token-Assay-Scope`.
     * @throws ControlError `bad-request` for a name that is not 1 to 64 of `a-z0-9-`, `exists`, `full` beyond 100
     */
    create(name: string): Awaitable<StoreControl>
    /** @throws ControlError `unknown-scope`, as do a scope's methods once it is removed */
    get(name: string): Awaitable<StoreControl>
    /** Whether there was one. */
    remove(name: string): Awaitable<boolean>
  }
}
