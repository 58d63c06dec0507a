import type { RoutingScopes } from './control/scopes.js'
import type { Dispatch } from './dispatch.js'
import { refuse } from './http/reply.js'
import type { Realm, Shared } from './realm.js'

/** Which store a request is for. */
export function createRouter(own: Realm, scopes: RoutingScopes, shared: Shared): Dispatch {
  const { behaviour } = shared.options
  const lost = own.dispatchTo([() => refuse(behaviour, 'unknown-scope')])
  return (message, response, request) => {
    const found = scopes.route(request)
    return found === undefined
      ? lost(message, response, request)
      : found.realm.dispatch(message, response, found.request)
  }
}
