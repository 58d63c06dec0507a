import type { AccountView, SeedAccount } from '../account.js'
import type { Clock } from '../clock.js'
import type { IssuedToken } from '../issued-token.js'
import type { ActiveFault, Fault } from './fault.js'
import type { Faults } from './faults.js'
import type { ActiveHook, AnswerChange, HookFunction, HookLimits, HookMatch, Hooks } from './hook.js'
import type { Journal, JournalEntry, JournalMatch, WaitOptions } from './journal.js'
import type { ChangeableSettings, SettingsChange, StoreSettings } from './settings.js'
import type { Introspection, TokenRequest, TokenResponse } from './tokens.js'

/** A server in the same process answers at once, one behind HTTP later: `await` suits both. */
export type Awaitable<T> = T | Promise<T>

/**
 * What a test does to one store: the server's own, or a scope's. The server in a process has these methods, and the
 * client of a control plane has the same ones; there every method answers with a promise.
 */
export interface StoreControl {
  /** The base URL, without a trailing slash, to which `/Token` is appended. */
  readonly url: string
  /**
   * Back to the accounts, settings, clock and the empty journal of the start, without faults and hooks; issued tokens are
   * forgotten.
   * A request that is being answered sees one state.
   */
  reset(): Awaitable<void>
  /** Whose token this is, among the latest 10,000, unless it has expired: for a test's own resource server. */
  bearerOf(accessToken: string): Awaitable<IssuedToken | undefined>
  /** The same as RFC 7662 has it. */
  introspect(accessToken: string): Awaitable<Introspection>
  /**
   * A token without a sign-in, as the service would have answered one; an expired one too. There is no exchange: the journal
   * and the events say nothing of it.
   * @throws ControlError `bad-request`, `not-found` where no account has the name, `exists` where another one has the token
   */
  issueToken(request: TokenRequest): Awaitable<TokenResponse>
  /**
   * Whether it was good until now. A sign-in that is answered with the same one makes it good again. A refresh token takes
   * every token of its sign-in with it (RFC 7009 2.1).
   */
  revokeToken(token: string): Awaitable<boolean>
  readonly accounts: {
    /** Those of the start first. */
    list(): Awaitable<readonly AccountView[]>
    /**
     * Its password need not keep the policy.
     * @throws ControlError `bad-request`, or `exists` where one has this name, e-mail address, sign-in or access token
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
  /**
   * Changes what the service answers: some answers, or one. What was sent is in the journal.
   * @throws ControlError `bad-request`, or `full` beyond 100 hooks
   */
  respond(match: HookMatch, change: AnswerChange, limits?: HookLimits): Awaitable<ActiveHook>
  readonly hooks: {
    list(): Awaitable<readonly ActiveHook[]>
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

/** What came of reading the configuration again. */
export interface Reloaded {
  /** In force now, of `accounts`, `tokenLifetime`, `includesUserId` and `policy`. */
  readonly changed: readonly string[]
  /** Changed as well, but not before the next start. */
  readonly needRestart: readonly string[]
}

/** The whole server: its own store, and isolated ones. */
export interface Control extends StoreControl {
  /**
   * Reads `server.yaml` again. Its accounts and settings are in force at once, tokens and registered accounts stay; scopes have
   * them from their next reset on. What cannot be used changes nothing.
   * @throws ControlError `bad-request` saying what is wrong and where, `not-found` where there is nothing to read
   */
  reload(): Promise<Reloaded>
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

/** What a test does to one store of a server in the same process: at once, where `StoreControl` may take its time. */
export interface Store extends StoreControl {
  readonly clock: Clock
  /** The latest exchanges, redacted. */
  readonly journal: Journal
  readonly faults: Faults
  respond(match: HookMatch, change: AnswerChange | HookFunction, limits?: HookLimits): ActiveHook
  readonly hooks: Hooks
  readonly settings: StoreSettings
  bearerOf(accessToken: string): IssuedToken | undefined
  introspect(accessToken: string): Introspection
  issueToken(request: TokenRequest): TokenResponse
  revokeToken(token: string): boolean
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
export type ServerControl = Store & Pick<Control, 'reload'> & { readonly scopes: Scopes }
