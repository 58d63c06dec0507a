import type { ReceivedRequest } from '../http/received-request.js'
import type { Realm } from '../realm.js'
import { scopeHeader } from '../scope-header.js'
import { ControlError } from './control-error.js'
import type { Scopes, Store } from './server-control.js'
import { whileThere } from './while-there.js'

const scopesKept = 100

export interface RoutingScopes extends Scopes {
  /** Whether requests are looked at for the name of a scope. Once a scope was made they are until the end. */
  readonly inUse: () => boolean
  /** The scope that a request names, and the request as the scope sees it; `undefined`: none has this name. */
  route(request: ReceivedRequest): { readonly realm: Realm; readonly request: ReceivedRequest } | undefined
  stop(): void
}

/** @param always requests are looked at even before a scope was made: one from outside may still come to be */
export function createScopes(
  own: Realm,
  basePath: string,
  always: boolean,
  createRealm: (name: string) => Realm,
): RoutingScopes {
  const scopes = new Map<string, { readonly realm: Realm; readonly store: Store }>()
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
      if (typeof name !== 'string' || !/^[a-z0-9-]{1,64}$/.test(name))
        throw new ControlError('bad-request', "expected a scope's name of 1 to 64 characters a-z, 0-9 and -")
      if (scopes.has(name)) throw new ControlError('exists', `there is a scope ${name} already`)
      if (scopes.size >= scopesKept)
        throw new ControlError('full', `there are ${scopesKept} scopes already: remove some`)
      const realm = createRealm(name)
      const store = whileThere(realm.store, () => {
        if (scopes.get(name)?.realm !== realm) throw unknown()
      })
      scopes.set(name, { realm, store })
      inUse = true
      return store
    },
    remove(name) {
      scopes.get(name)?.realm.stop(unknown())
      return scopes.delete(name)
    },
    inUse: () => inUse,
    route(request) {
      if (!inUse) return { realm: own, request }
      const { name, path } = named(request)
      if (name === undefined) return { realm: own, request }
      const realm = scopes.get(name)?.realm
      return realm === undefined ? undefined : { realm, request: { ...request, path } }
    },
    stop() {
      const reason = new ControlError('stopped', 'the server is stopping')
      own.stop(reason)
      for (const { realm } of scopes.values()) realm.stop(reason)
    },
  }
}
