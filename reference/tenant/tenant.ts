import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.js'
import { createDispatch, type Dispatch } from '../connection/dispatch.js'
import type { ControlError } from '../control-error.js'
import { preflightRoute } from '../cors.js'
import type { LogSink } from '../log.js'
import type { FullOptions } from '../options/options.js'
import { accountsRoute } from '../routes/accounts.js'
import { externalLoginRoute } from '../routes/external-login.js'
import { protectedResourceRoute } from '../routes/protected-resource.js'
import { tokenRoute } from '../routes/token.js'
import type { Route, Service, StoreState } from '../service.js'
import type { TokenOptions } from '../signed-token.js'
import { controlAccounts } from '../store/account-control.js'
import { createAccountStore } from '../store/accounts.js'
import type { Store } from '../store/control.js'
import { createFaults } from '../store/faults.js'
import { createHooks } from '../store/hooks.js'
import { createJournal } from '../store/journal.js'
import { createSettings } from '../store/settings.js'
import { createTokenState } from '../store/tokens.js'
import type { Events } from './events.js'
import { observer } from './observe.js'
import type { StartValues } from './reload.js'
import { rewriter } from './rewriter.js'
import { controlTokens } from './token-control.js'

/** What all stores of a server share. */
export interface Shared
  extends Pick<Service, 'hasher' | 'hashing' | 'providers' | 'externalLogins' | 'signingIn'> {
  readonly options: FullOptions
  /** What a store begins with: a reload may change it. */
  readonly start: () => StartValues
  readonly log: LogSink
  readonly events: Events
  readonly isClosing: () => boolean
}

/** One isolated service: accounts, tokens, settings, clock, faults and journal of its own. */
export interface Tenant {
  readonly store: Store
  readonly dispatch: Dispatch
  /** The same with other routes and without faults, seen by the same journal, log and events. */
  dispatchTo(routes: readonly Route[]): Dispatch
  /** Settings and accounts of the start become those that are the start's now; tokens and registered accounts stay. */
  restart(): void
  /** Those who wait for something learn why it will not come. */
  stop(reason: ControlError): void
}

/** @param scope its name; `undefined`: the server's own */
export function createTenant(shared: Shared, url: () => string, clock: Clock, scope?: string): Tenant {
  const { options, start, hasher, log, events, isClosing } = shared
  const { behaviour, limits } = options
  const settings = createSettings(() => start().settings)
  const faults = createFaults()
  const hooks = createHooks()
  const journal = createJournal(limits.journal)
  const keys = { userName: behaviour.userNameKey, email: behaviour.emailKey }
  const freshState = (): StoreState => ({
    accounts: createAccountStore(start().seed, keys, limits.accounts),
    ...createTokenState({ ...behaviour, limit: limits.tokens, clock, keys: keyRing(options.tokens), scope }),
  })
  let state = freshState()
  const service: Service = {
    ...shared,
    get settings() {
      return settings.current()
    },
    behaviour,
    refreshTokens: options.refreshTokens,
    clock,
    state: () => state,
  }
  const isOfAnother = (accessToken: string, userName: string): boolean => {
    const issued = state.tokens.look(accessToken)
    return issued !== undefined && issued.userName !== userName
  }
  const observe = observer(service, { journal, log, events, scope })
  const dispatching = { behaviour, clock, log, isClosing, observe }
  const routes = [
    ...(options.cors === undefined ? [] : [preflightRoute(options.cors, behaviour)]),
    tokenRoute(service),
    accountsRoute(service),
    externalLoginRoute(service),
    ...options.protectedResource.map((path) => protectedResourceRoute(service, path)),
  ]
  return {
    dispatchTo: (others) => createDispatch(others, dispatching),
    dispatch: createDispatch(routes, {
      ...dispatching,
      intercept: faults.intercept,
      rewrite: rewriter(hooks, behaviour, log),
    }),
    restart() {
      settings.reset()
      state.accounts.reseed(start().seed)
    },
    stop: journal.stop,
    store: {
      get url() {
        return url()
      },
      clock,
      journal,
      faults,
      hooks,
      respond: hooks.respond,
      settings,
      ...controlTokens(service),
      accounts: controlAccounts(() => state.accounts, isOfAnother, hasher, behaviour),
      reset() {
        state = freshState()
        settings.reset()
        clock.reset()
        faults.clear()
        hooks.clear()
        journal.clear()
      },
    },
  }
}

/** Without declared keys a reset loses them, as the end of the process does. */
function keyRing({ kind, keys }: TokenOptions): readonly string[] | undefined {
  return kind === 'opaque' ? undefined : (keys ?? [randomBytes(32).toString('base64url')])
}
