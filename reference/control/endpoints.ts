import { ControlError } from '../control-error.js'
import { readControlInput } from '../input/read-control-input.js'
import type { ServerControl, Store } from '../store/control.js'
import type { Hook } from '../store/hook.js'
import type { JournalMatch, WaitLimits } from '../store/journal.js'

/** A call whose caller may do everything. */
export interface EndpointCall {
  /** The server's own store, or the one of the scope that the path names. */
  readonly store: Store
  readonly server: ServerControl
  /** What stands for the `:names` of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** What was sent as JSON; an empty object where nothing was. */
  readonly body: unknown
  /** Aborted when the client can no longer be answered, or has ended its side: it will hardly wait for an answer. */
  readonly ended: () => AbortSignal
}

/** What is answered: 204 where there is nothing to say. */
export type EndpointResult = { readonly status: 200 | 201; readonly json: unknown } | { readonly status: 204 }

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Takes a form too, and the secret as the password of Basic, as libraries that introspect send them (RFC 7662 2.1). */
  readonly introspects?: boolean
  readonly answer: (call: EndpointCall) => EndpointResult | Promise<EndpointResult>
}

const done: EndpointResult = { status: 204 }
const ok = (json: unknown): EndpointResult => ({ status: 200, json })
const created = (json: unknown): EndpointResult => ({ status: 201, json })
const doneIf = (found: boolean, what: string): EndpointResult => {
  if (!found) throw new ControlError('not-found', `there is no ${what} of this name`)
  return done
}
const row = (method: Endpoint['method'], path: string, answer: Endpoint['answer']): Endpoint => ({
  method,
  path,
  answer,
})

/** What may be asked of every store: of the server's own as written here, of a scope's below `/scopes/:scope`. */
const ofStore: readonly Endpoint[] = [
  row('POST', '/reset', ({ store, body }) => {
    nothingIn(body)
    store.reset()
    return done
  }),
  row('GET', '/accounts', ({ store }) => ok(store.accounts.list())),
  // The store itself reads what came: in a process it may be anything too.
  row('POST', '/accounts', async ({ store, body }) => created(await store.accounts.add(body as never))),
  row('DELETE', '/accounts/:userName', ({ store, params: { userName = '' } }) =>
    doneIf(store.accounts.remove(userName), 'account'),
  ),
  {
    ...row('POST', '/tokens/introspect', ({ store, body }) => {
      const { token } = readControlInput<{ readonly token: string }>('introspection', body)
      return ok(store.introspect(token))
    }),
    introspects: true,
  },
  row('POST', '/tokens', ({ store, body }) => created(store.issueToken(body as never))),
  row('POST', '/tokens/revoke', ({ store, body }) => {
    const { token } = readControlInput<{ readonly token: string }>('revocation', body)
    return ok({ revoked: store.revokeToken(token) })
  }),
  row('GET', '/clock', clock),
  row('POST', '/clock/advance', (call) => {
    const { seconds } = readControlInput<{ readonly seconds: number }>('advance', call.body)
    call.store.clock.advance(seconds)
    return clock(call)
  }),
  row('POST', '/clock/freeze', (call) => {
    const { atMs } = readControlInput<{ readonly atMs?: number }>('freeze', call.body)
    call.store.clock.freeze(atMs)
    return clock(call)
  }),
  row('POST', '/clock/reset', (call) => {
    nothingIn(call.body)
    call.store.clock.reset()
    return clock(call)
  }),
  row('GET', '/faults', ({ store }) => ok(store.faults.list())),
  row('POST', '/faults', ({ store, body }) => created(store.faults.add(body as never))),
  row('DELETE', '/faults', ({ store }) => {
    store.faults.clear()
    return done
  }),
  row('DELETE', '/faults/:id', ({ store, params: { id = '' } }) => doneIf(store.faults.remove(id), 'fault')),
  row('GET', '/hooks', ({ store }) => ok(store.hooks.list())),
  row('POST', '/hooks', ({ store, body }) => {
    const { match = {}, change, ...limits } = readControlInput<Hook>('hook', body)
    return created(store.respond(match, change, limits))
  }),
  row('DELETE', '/hooks', ({ store }) => {
    store.hooks.clear()
    return done
  }),
  row('DELETE', '/hooks/:id', ({ store, params: { id = '' } }) => doneIf(store.hooks.remove(id), 'hook')),
  row('GET', '/settings', ({ store }) => ok(store.settings.get())),
  row('PATCH', '/settings', ({ store, body }) => ok(store.settings.change(body as never))),
  row('GET', '/journal', ({ store }) => ok(store.journal.entries())),
  row('DELETE', '/journal', ({ store }) => {
    store.journal.clear()
    return done
  }),
  row('POST', '/journal/wait', async ({ store, body, ended }) => {
    const { match = {}, ...limits } = readControlInput<WaitLimits & { readonly match?: JournalMatch }>(
      'wait',
      body,
    )
    return ok(await store.journal.waitFor(match, { ...limits, signal: ended() }))
  }),
]

/** Every endpoint that asks for the secret. */
export const endpoints: readonly Endpoint[] = [
  row('GET', '/', ({ server }) => ok({ url: server.url })),
  ...ofStore,
  row('POST', '/settings/reload', async ({ server, body }) => {
    nothingIn(body)
    return ok(await server.reload())
  }),
  row('GET', '/scopes', ({ server }) => ok(server.scopes.list())),
  row('POST', '/scopes', ({ server, body }) => {
    const { name } = readControlInput<{ readonly name: string }>('scope', body)
    return created({ name, url: server.scopes.create(name).url })
  }),
  row('GET', '/scopes/:scope', ({ store, params: { scope = '' } }) => ok({ name: scope, url: store.url })),
  row('DELETE', '/scopes/:scope', ({ server, params: { scope = '' } }) =>
    doneIf(server.scopes.remove(scope), 'scope'),
  ),
  ...ofStore.map((endpoint) => ({ ...endpoint, path: `/scopes/:scope${endpoint.path}` })),
]

function clock({ store }: EndpointCall): EndpointResult {
  return ok({ nowMs: store.clock.now() })
}

function nothingIn(body: unknown): void {
  readControlInput('body', body)
}
