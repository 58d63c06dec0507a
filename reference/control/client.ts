import type { AccountView } from '../account.js'
import { ControlError, type ControlErrorCode } from '../control-error.js'
import { isSecret } from '../options/control-options.js'
import type { Control, Reloaded, StoreControl } from '../store/control.js'
import type { ActiveFault } from '../store/fault.js'
import type { ActiveHook } from '../store/hook.js'
import { type JournalEntry, readWait } from '../store/journal.js'
import type { ChangeableSettings } from '../store/settings.js'
import type { Introspection, TokenResponse } from '../store/tokens.js'
import { ask, type ControlRequest, notControlPlane } from './ask.js'

/** Where a control plane is, and what lets in. */
export interface ControlClientOptions {
  /** As the server tells it, such as `http://127.0.0.1:5001`. */
  readonly url: string
  readonly secret: string
  /** The time for each answer, not counting what `waitFor` waits. Default 10,000. */
  readonly timeoutMs?: number
}

/**
 * Connects to the control plane of a server in another process. The client holds nothing open.
 * @throws ControlError `unauthorized`, `unreachable` where no control plane answers (so may every method), `bad-request`
 * for an option that is not usable
 */
export async function connectControl(options: ControlClientOptions): Promise<Control> {
  const endpoint = endpointOf(options)
  const call: SendCommand = (method, path, body, wait) =>
    ask(endpoint, { method, path, ...(body !== undefined && { body }), ...wait })
  const own = await call<{ readonly url: string } | null>('GET', '/')
  if (typeof own?.url !== 'string') throw notControlPlane(endpoint.origin, 200)
  const scope = ({ name, url }: { readonly name: string; readonly url: string }): StoreControl =>
    storeControl((method, path, ...rest) => call(method, `/scopes/${name}${path}`, ...rest), url)
  return {
    ...storeControl(call, own.url),
    reload: () => call<Reloaded>('POST', '/settings/reload'),
    scopes: {
      list: () => call('GET', '/scopes'),
      create: async (name) => scope(await call('POST', '/scopes', { name })),
      get: async (name) => scope(await call('GET', `/scopes/${segment(name)}`)),
      remove: (name) => removed(name, 'unknown-scope', (at) => call('DELETE', `/scopes/${at}`)),
    },
  }
}

type WaitRequest = Pick<ControlRequest, 'waitMs' | 'signal'>
type SendCommand = <T>(method: string, path: string, body?: unknown, wait?: WaitRequest) => Promise<T>

function storeControl(call: SendCommand, url: string): StoreControl {
  const nothing = async (method: string, path: string, body?: unknown): Promise<void> => {
    await call(method, path, body)
  }
  const introspect = (token: string): Promise<Introspection> => call('POST', '/tokens/introspect', { token })
  return {
    url,
    reset: () => nothing('POST', '/reset'),
    introspect,
    issueToken: (request) => call<TokenResponse>('POST', '/tokens', request),
    revokeToken: async (token) =>
      (await call<{ readonly revoked: boolean }>('POST', '/tokens/revoke', { token })).revoked,
    async bearerOf(accessToken) {
      const found = await introspect(accessToken)
      if (!found.active) return undefined
      const { username: userName, sub: userId, iat, exp } = found
      return { userName, userId, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 }
    },
    accounts: {
      list: () => call<readonly AccountView[]>('GET', '/accounts'),
      add: (account) => call<AccountView>('POST', '/accounts', account),
      remove: (userName) => removed(userName, 'not-found', (at) => nothing('DELETE', `/accounts/${at}`)),
    },
    clock: {
      now: async () => (await call<{ readonly nowMs: number }>('GET', '/clock')).nowMs,
      advance: (seconds) => nothing('POST', '/clock/advance', { seconds }),
      freeze: (atMs) => nothing('POST', '/clock/freeze', { atMs }),
      reset: () => nothing('POST', '/clock/reset'),
    },
    faults: {
      list: () => call<readonly ActiveFault[]>('GET', '/faults'),
      add: (fault) => call<ActiveFault>('POST', '/faults', fault),
      remove: (id) => removed(id, 'not-found', (at) => nothing('DELETE', `/faults/${at}`)),
      clear: () => nothing('DELETE', '/faults'),
    },
    respond: (match, change, limits) => call<ActiveHook>('POST', '/hooks', { ...limits, match, change }),
    hooks: {
      list: () => call<readonly ActiveHook[]>('GET', '/hooks'),
      remove: (id) => removed(id, 'not-found', (at) => nothing('DELETE', `/hooks/${at}`)),
      clear: () => nothing('DELETE', '/hooks'),
    },
    settings: {
      get: () => call<ChangeableSettings>('GET', '/settings'),
      change: (change) => call<ChangeableSettings>('PATCH', '/settings', change),
    },
    journal: {
      entries: () => call<readonly JournalEntry[]>('GET', '/journal'),
      clear: () => nothing('DELETE', '/journal'),
      async waitFor(given, { signal, ...limits } = {}) {
        const { match, timeoutMs } = readWait(given, limits)
        return call<JournalEntry>(
          'POST',
          '/journal/wait',
          { match, timeoutMs },
          { waitMs: timeoutMs, signal },
        )
      },
    },
  }
}

/** @throws ControlError `bad-request`, never quoting the secret */
function endpointOf(options: ControlClientOptions) {
  // Callers in plain JavaScript may give no options.
  const { url, secret, timeoutMs = 10_000 } = options ?? {}
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ControlError('bad-request', `expected the url of a control plane, found ${JSON.stringify(url)}`)
  if (!isSecret(secret))
    throw new ControlError('bad-request', 'expected the secret of the server: 16 to 1024 characters')
  if (!(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= 3_600_000))
    throw new ControlError('bad-request', 'expected timeoutMs to be a whole number from 1 to 3600000')
  const { protocol, host, pathname } = new URL(url)
  return {
    origin: `${protocol}//${host}${pathname.replace(/\/$/, '')}`,
    secret,
    timeoutMs,
  }
}

/** A name as one segment of a path. Of half a character, which no name has, the usual replacement is sent. */
function segment(name: string): string {
  return encodeURIComponent(String(name).replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/** Whether there was one. */
async function removed(
  name: string,
  absent: ControlErrorCode,
  remove: (segment: string) => Promise<unknown>,
): Promise<boolean> {
  // It would make another path.
  if (name === '') return false
  try {
    await remove(segment(name))
    return true
  } catch (error) {
    if (error instanceof ControlError && error.code === absent) return false
    throw error
  }
}
