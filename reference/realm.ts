import type { Clock } from './clock.js'
import type { ControlError } from './control/control-error.js'
import { createFaults } from './control/faults.js'
import type { Store } from './control/server-control.js'
import { controlAccounts } from './control/store-accounts.js'
import { controlClock } from './control/store-clock.js'
import { createSettings } from './control/store-settings.js'
import { createDispatch, type Dispatch } from './dispatch.js'
import type { Events } from './events.js'
import { preflightRoute } from './http/cors.js'
import { createJournal } from './journal.js'
import type { LogSink } from './log.js'
import { observer } from './observe.js'
import type { FullOptions } from './options/options.js'
import { accountsRoute } from './routes/accounts.js'
import { externalLoginRoute } from './routes/external-login.js'
import { tokenRoute } from './routes/token.js'
import type { Route, Service, State } from './service.js'
import { type Account, createAccountStore } from './store.js'
import { createTokenStore, type IssuedToken } from './tokens.js'

/** What all stores of a server share. */
export interface Shared
  extends Pick<Service, 'hasher' | 'hashing' | 'providers' | 'externalLogins' | 'signingIn'> {
  readonly options: FullOptions
  readonly seed: readonly Account[]
  readonly log: LogSink
  readonly events: Events
  readonly isClosing: () => boolean
}

/** One isolated service: accounts, tokens, settings, clock, faults and journal of its own. */
export interface Realm {
  readonly store: Store
  readonly dispatch: Dispatch
  /** The same with other routes and without faults, seen by the same journal, log and events. */
  dispatchTo(routes: readonly Route[]): Dispatch
  bearerOf(accessToken: string): IssuedToken | undefined
  /** Whoever waits for something is told why it will not come. */
  stop(reason: ControlError): void
}

/** @param scope its name; `undefined`: the server's own */
export function createRealm(shared: Shared, url: () => string, clock: Clock, scope?: string): Realm {
  const { options, seed, hasher, log, events, isClosing } = shared
  const { behaviour, limits } = options
  const settings = createSettings(options)
  const faults = createFaults()
  const journal = createJournal(limits.journal)
  const keys = { userName: behaviour.userNameKey, email: behaviour.emailKey }
  const freshState = (): State => ({
    accounts: createAccountStore(seed, keys, limits.accounts),
    tokens: createTokenStore(limits.tokens),
  })
  let state = freshState()
  const service: Service = {
    ...shared,
    get settings() {
      return settings.current()
    },
    behaviour,
    clock,
    state: () => state,
  }
  const observe = observer(service, { journal, log, events, scope })
  const dispatching = { behaviour, clock, log, isClosing, observe }
  const routes = [
    ...(options.cors === undefined ? [] : [preflightRoute(options.cors)]),
    tokenRoute(service),
    accountsRoute(service),
    externalLoginRoute(service),
  ]
  return {
    dispatchTo: (others) => createDispatch(others, dispatching),
    dispatch: createDispatch(routes, { ...dispatching, intercept: faults.intercept }),
    bearerOf: (accessToken) => state.tokens.find(accessToken, clock.now()),
    stop: journal.stop,
    store: {
      get url() {
        return url()
      },
      clock: controlClock(clock),
      journal,
      faults,
      settings,
      accounts: controlAccounts(() => state.accounts, hasher, behaviour),
      reset() {
        state = freshState()
        settings.reset()
        clock.reset()
        faults.clear()
        journal.clear()
      },
    },
  }
}
