import type { JournalEntry } from '../journal.js'
import type { ChangeableSettings } from '../service.js'
import type { AccountView, Control, StoreControl } from './control.js'
import { ControlError, type ControlErrorCode, controlErrorCodes } from './control-error.js'
import type { ActiveFault } from './fault.js'

/** Where a control plane is, and what lets in. */
export interface ControlClientOptions {
  /** As the server tells it, such as `http://127.0.0.1:5001`. */
  readonly url: string
  readonly secret: string
}

/**
 * Connects to the control plane of a server in another process. The client holds nothing open.
 * @throws ControlError `unauthorized`, or what `fetch` throws where nothing listens
 */
export async function connectControl({ url, secret }: ControlClientOptions): Promise<Control> {
  const call = caller(url.replace(/\/$/, ''), secret)
  const own = await call<{ readonly url: string }>('GET', '/')
  const scope = ({ name, url: scopeUrl }: { readonly name: string; readonly url: string }): StoreControl =>
    storeControl((method, path, body) => call(method, `/scopes/${name}${path}`, body), scopeUrl)
  return {
    ...storeControl(call, own.url),
    scopes: {
      list: () => call('GET', '/scopes'),
      create: async (name) => scope(await call('POST', '/scopes', { name })),
      get: async (name) => scope(await call('GET', `/scopes/${encodeURIComponent(name)}`)),
      remove: (name) => removed(call('DELETE', `/scopes/${encodeURIComponent(name)}`)),
    },
  }
}

/** @throws ControlError as the server told it */
type Send = <T>(method: string, path: string, body?: unknown) => Promise<T>

function storeControl(call: Send, url: string): StoreControl {
  const { nothing, named } = {
    nothing: (method: string, path: string, body?: unknown) => call<undefined>(method, path, body),
    named: (folder: string, name: string) => `${folder}/${encodeURIComponent(name)}`,
  }
  return {
    url,
    reset: () => nothing('POST', '/reset'),
    accounts: {
      list: () => call<readonly AccountView[]>('GET', '/accounts'),
      add: (account) => call<AccountView>('POST', '/accounts', account),
      remove: (userName) => removed(nothing('DELETE', named('/accounts', userName))),
    },
    clock: {
      now: async () => (await call<{ readonly nowMs: number }>('GET', '/clock')).nowMs,
      advance: async (seconds) => void (await nothing('POST', '/clock/advance', { seconds })),
      freeze: async (atMs) => void (await nothing('POST', '/clock/freeze', { atMs })),
      reset: async () => void (await nothing('POST', '/clock/reset')),
    },
    faults: {
      list: () => call<readonly ActiveFault[]>('GET', '/faults'),
      add: (fault) => call<ActiveFault>('POST', '/faults', fault),
      remove: (id) => removed(nothing('DELETE', named('/faults', id))),
      clear: () => nothing('DELETE', '/faults'),
    },
    settings: {
      get: () => call<ChangeableSettings>('GET', '/settings'),
      change: (change) => call<ChangeableSettings>('PATCH', '/settings', change),
    },
    journal: {
      entries: () => call<readonly JournalEntry[]>('GET', '/journal'),
      clear: () => nothing('DELETE', '/journal'),
      waitFor: (match, options = {}) => call<JournalEntry>('POST', '/journal/wait', { match, ...options }),
    },
  }
}

function caller(origin: string, secret: string): Send {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The secret goes to nobody else.
      redirect: 'error',
    })
    const text = await response.text()
    if (!response.ok) throw errorOf(response.status, text)
    // The server's side of this contract is control/openapi.yaml, which a test holds both sides to.
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

function errorOf(status: number, text: string): ControlError {
  try {
    const { title, detail } = JSON.parse(text)
    const code = controlErrorCodes.find((known: ControlErrorCode) => known === title)
    if (code !== undefined && typeof detail === 'string') return new ControlError(code, detail)
  } catch {
    // Something else answers at this address.
  }
  return new ControlError('not-found', `no control plane answers here: status ${status}`)
}

async function removed(done: Promise<unknown>): Promise<boolean> {
  try {
    await done
    return true
  } catch (error) {
    if (error instanceof ControlError && error.code === 'not-found') return false
    throw error
  }
}
