import type { Realm } from '../realm.js'
import type { ReceivedRequest } from '../received-request.js'
import { ControlError } from './control-error.js'
import type { Scopes } from './server-control.js'

/** The header that names a scope, in lower case. */
export const scopeHeader = 'token-assay-scope'

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
  const scopes = new Map<string, Realm>()
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
  const find = (name: string): Realm => {
    const realm = scopes.get(name)
    if (realm === undefined) throw new ControlError('unknown-scope', 'there is no scope of this name')
    return realm
  }

  return {
    list: () => [...scopes.keys()],
    get: (name) => find(name).store,
    create(name) {
      if (typeof name !== 'string' || !/^[a-z0-9-]{1,64}$/.test(name))
        throw new ControlError('bad-request', "expected a scope's name of 1 to 64 characters a-z, 0-9 and -")
      if (scopes.has(name)) throw new ControlError('exists', `there is a scope ${name} already`)
      if (scopes.size >= scopesKept)
        throw new ControlError('full', `there are ${scopesKept} scopes already: remove some`)
      const realm = createRealm(name)
      scopes.set(name, realm)
      inUse = true
      return realm.store
    },
    remove(name) {
      scopes.get(name)?.stop()
      return scopes.delete(name)
    },
    inUse: () => inUse,
    route(request) {
      if (!inUse) return { realm: own, request }
      const { name, path } = named(request)
      if (name === undefined) return { realm: own, request }
      const realm = scopes.get(name)
      return realm === undefined ? undefined : { realm, request: { ...request, path } }
    },
    stop() {
      for (const realm of [own, ...scopes.values()]) realm.stop()
    },
  }
}
