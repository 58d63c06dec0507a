import type { ReceivedRequest } from '../http/received-request.js'
import { literally, type Reply, type Route, type Service } from '../service.js'
import { refuse } from './reply.js'

/**
 * `GET {base_url}/me`, or another path, answers a token with its account, for tests of what a client does with its token (RFC 6750). How a
 * token is presented the specification does not show (5-R4): path and shape are ours, and it is there only when asked for.
 */
export function protectedResourceRoute(service: Service, path: string): Route {
  return {
    path: literally(service.settings.basePath + path),
    answer: (request) => show(service, request),
  }
}

function show({ behaviour, clock, state }: Service, request: ReceivedRequest): Reply {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(behaviour, 'wrong-resource-method')
  const presented = presentedToken(request)
  if (presented.kind !== 'token')
    return refuse(behaviour, `${presented.kind === 'none' ? 'no' : 'malformed'}-token`)
  const { accounts, tokens } = state()
  const issued = tokens.look(presented.token)
  if (issued === undefined) return refuse(behaviour, 'unknown-token')
  const { userName, userId } = issued
  if (!behaviour.acceptsToken(issued, clock.now()))
    return { ...refuse(behaviour, issued.revoked === true ? 'revoked-token' : 'expired-token'), userName }
  // A token outlives its account, and another one may have its name by now.
  const account = accounts.find(userName)
  const email = account?.userId === userId ? account.email : undefined
  return {
    userName,
    answer: {
      status: 200,
      headers: [['Content-Type', 'application/json;charset=UTF-8'], ...behaviour.commonHeaders()],
      body: JSON.stringify({ userName, userId, ...(email !== undefined && { email }) }),
    },
  }
}

/** What a request presents in its header: a token, none, or what is no token (RFC 6750 2.1). */
export type Presented =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' | 'malformed' }

function presentedToken({ headers, headerNames }: ReceivedRequest): Presented {
  const { authorization } = headers
  // Another scheme is no attempt to use a token (RFC 6750 3.1).
  if (authorization === undefined || !/^bearer(?![\w-])/i.test(authorization)) return { kind: 'none' }
  // Node keeps the first of several.
  const lines = headerNames.filter((name) => name.toLowerCase() === 'authorization').length
  const token = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1]
  return token === undefined || lines > 1 ? { kind: 'malformed' } : { kind: 'token', token }
}
