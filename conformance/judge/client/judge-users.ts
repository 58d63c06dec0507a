import type { Exchange } from '../../exchange/exchange.js'
import { cannotTell, type Decision, failed, PASSED } from './decision.js'
import { bearerIn, howItEnded, isResourceUse, type ObservedSignIn } from './observed-sign-in.js'

/** 4.1: the token of one user is not used for another. */
export function judgeUsers(observed: ObservedSignIn): Decision {
  const { exchanges, ownFrom, owners, environment, end } = observed
  if (!exchanges.slice(0, ownFrom).some(isGranted)) return cannotTell('the user before was given no token')
  const own = exchanges.slice(ownFrom)
  const users = own.filter(isResourceUse).flatMap((use) => owners.get(bearerIn(use) ?? '') ?? [])
  if (users.some((user) => user !== environment.userName))
    return failed(
      'the client asks for the resource with the token of the user before',
      'a token of its own for each user',
      'the token of the other user',
    )
  if (own.some(isGranted)) return PASSED
  return end.signedIn
    ? failed(
        'the client reports that the second user is signed in, and asked for no token',
        'a token request for each user',
        howItEnded(end),
      )
    : cannotTell(`the second user was not signed in: ${howItEnded(end)}`)
}

function isGranted(exchange: Exchange): boolean {
  return !isResourceUse(exchange) && exchange.response?.status === 200
}
