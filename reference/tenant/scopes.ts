import type { Dispatch } from '../connection/dispatch.js'
import { ControlError } from '../control-error.js'
import { type ReceivedRequest, scopeHeader } from '../http/received-request.js'
import { readControlInput } from '../input/read-control-input.js'
import { refuse } from '../routes/reply.js'
import type { Scopes, Store } from '../store/control.js'
import type { Shared, Tenant } from './tenant.js'

const scopesKept = 100

export interface RoutingScopes extends Scopes {
  /** Whether requests are looked at for the name of a scope. Once a scope was made they are until the end. */
  readonly inUse: () => boolean
  /** The scope that a request names, and the request as the scope sees it; `undefined`: none has this name. */
  route(request: ReceivedRequest): { readonly tenant: Tenant; readonly request: ReceivedRequest } | undefined
  stop(): void
}

/** @param always requests are looked at even before a scope was made: one from outside may still come to be */
export function createScopes(
  own: Tenant,
  basePath: string,
  always: boolean,
  newTenant: (name: string) => Tenant,
): RoutingScopes {
  const scopes = new Map<string, { readonly tenant: Tenant; readonly store: Store }>()
  const prefix = `${basePath}/scopes/`
  let inUse = always

  const named = (request: ReceivedRequest): { name: string | undefined; path: string } => {
    if (request.path.startsWith(prefix)) {
      const end = request.path.indexOf('/', prefix.length)
      const name = request.path.slice(prefix.length, end === -1 ? undefined : end)
      return { name, path: end === -1 ? basePath : basePath + request.path.slice(end) }
    }
    const header = request.headers[scopeHeader]
    return { name: header === undefined ? undefined : String(header), path: request.path }
  }
  const unknown = (): ControlError => new ControlError('unknown-scope', 'there is no scope of this name')

  return {
    list: () => [...scopes.keys()],
    get(name) {
      const scope = scopes.get(name)
      if (scope === undefined) throw unknown()
      return scope.store
    },
    create(name) {
      readControlInput('scope', { name })
      if (scopes.has(name)) throw new ControlError('exists', `there is a scope ${name} already`)
      if (scopes.size >= scopesKept)
        throw new ControlError('full', `there are ${scopesKept} scopes already: remove some`)
      const tenant = newTenant(name)
      const store = whileThere(tenant.store, () => {
        if (scopes.get(name)?.tenant !== tenant) throw unknown()
      })
      scopes.set(name, { tenant, store })
      inUse = true
      return store
    },
    remove(name) {
      scopes.get(name)?.tenant.stop(unknown())
      return scopes.delete(name)
    },
    inUse: () => inUse,
    route(request) {
      if (!inUse) return { tenant: own, request }
      const { name, path } = named(request)
      if (name === undefined) return { tenant: own, request }
      const tenant = scopes.get(name)?.tenant
      return tenant === undefined ? undefined : { tenant, request: { ...request, path } }
    },
    stop() {
      const reason = new ControlError('stopped', 'the server is stopping')
      own.stop(reason)
      for (const { tenant } of scopes.values()) tenant.stop(reason)
    },
  }
}

/** Which store a request is for. */
export function createRouter(own: Tenant, scopes: RoutingScopes, shared: Shared): Dispatch {
  const { behaviour } = shared.options
  const lost = own.dispatchTo([{ answer: () => refuse(behaviour, 'unknown-scope') }])
  return (message, response, request) => {
    const found = scopes.route(request)
    return found === undefined
      ? lost(message, response, request)
      : found.tenant.dispatch(message, response, found.request)
  }
}

/**
 * The store of a scope, for as long as there is the scope: then every method tells that there is none, as it does from
 * outside.
 * @param check throws once it is gone
 */
function whileThere(store: Store, check: () => void): Store {
  // What promises an answer must not throw at once.
  const promising = new Set<unknown>([store.accounts.add, store.journal.waitFor])
  const guard = <T extends object>(methods: T): T =>
    new Proxy(methods, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'object' && member !== null) return guard(member)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          try {
            check()
          } catch (error) {
            if (promising.has(member)) return Promise.reject(error)
            throw error
          }
          return Reflect.apply(member, target, given)
        }
      },
    })
  return guard(store)
}
