import { isResource, type Met, type Played } from '../../drivers/host/play.js'
import { cannotTell, type Decision, failed, PASSED } from './decision.js'

/** New sign-ins after which a client whose tokens are all refused asks without end. */
const MOST_RENEWALS = 5
/** The same of requests for the resource. */
const MOST_USES = 20

/** A token that lives is used again. */
export function keepsToken(played: Played, requests: readonly Met[]): Decision {
  if (requests.length > 1)
    return failed(
      'the client signs in anew while its token lives',
      '1 token request',
      String(requests.length),
    )
  return good(played) < played.environment.fetches ? tooFewUses(played) : PASSED
}

/** The client goes on with a new token. */
export function signsInAnew(played: Played): Decision {
  const { end, met, scenario, environment } = played
  const uses = good(played)
  if (uses >= environment.fetches) return PASSED
  if (end.outOfTime) return cannotTell(end.problem ?? end.how)
  const wasRefused = met.some((one) => isResource(one) && one.answer?.status === 401)
  // A client that knows of no further uses has ended well before any token did.
  if (end.signedIn && !wasRefused) return tooFewUses(played)
  const actual = [`${uses} by 200`, wasRefused ? 'then by 401' : undefined, end.how, end.problem]
  return failed(
    `the client ${scenario.title.replace('signs in anew, once,', 'does not sign in anew')}`,
    `the resource answers ${environment.fetches} times by 200`,
    actual.filter((part) => part !== undefined).join('; '),
  )
}

/** One end of a token makes one sign-in, however many requests wait for it. */
export function signsInOnce({ met }: Played, requests: readonly Met[]): Decision {
  if (requests.length < 2) return cannotTell('the client did not sign in anew')
  let renewals: number | undefined
  for (const one of met) {
    if (isResource(one)) renewals = one.answer?.status === 200 ? 0 : renewals
    else if (renewals !== undefined) renewals += 1
    if (renewals !== undefined && renewals > 1)
      return failed(
        'the client signs in several times for one token that has expired',
        '1',
        `${renewals} or more`,
      )
  }
  return PASSED
}

/** What is refused again and again is given up. */
export function givesUp({ met, end }: Played, requests: readonly Met[]): Decision {
  const uses = met.filter(isResource)
  if (!uses.some(({ answer }) => answer?.status === 401))
    return cannotTell('the client did not ask for the resource again: TOKEN_ASSAY_FETCHES says how often')
  if (requests.length > 1 + MOST_RENEWALS)
    return failed(
      'the client signs in again and again',
      `at most ${MOST_RENEWALS} times`,
      String(requests.length - 1),
    )
  if (uses.length > MOST_USES)
    return failed(
      'the client asks for the resource again and again',
      `at most ${MOST_USES} times`,
      String(uses.length),
    )
  return end.problem === undefined
    ? PASSED
    : failed('the client does not end by itself', 'an end', end.problem)
}

function good({ met }: Played): number {
  return met.filter((one) => isResource(one) && one.answer?.status === 200).length
}

function tooFewUses(played: Played): Decision {
  const { end, environment } = played
  return cannotTell(
    end.outOfTime
      ? (end.problem ?? end.how)
      : `the resource answered ${good(played)} times by 200, where TOKEN_ASSAY_FETCHES asks for ${environment.fetches}`,
  )
}
