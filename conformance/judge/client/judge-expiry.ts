import type { Exchange } from '../../exchange/exchange.js'
import { cannotTell, type Decision, failed, inapplicable, PASSED } from './decision.js'
import { bearerIn, howItEnded, isResourceUse, type ObservedSignIn } from './observed-sign-in.js'

/** New sign-ins after which a client whose tokens are all refused asks without end. */
const MAX_RENEWALS = 5
/** The same of requests for the resource. */
const MAX_USES = 20

/** A token that lives is used again. Sign-ins at the same time are judged by themselves. */
export function keepsToken(observed: ObservedSignIn, requests: readonly Exchange[]): Decision {
  const signIns = requests.length - overlapping(requests, observed)
  const due = observed.scenario.service?.renewedLifetime === undefined ? 1 : 2
  if (signIns > due)
    return failed(
      'the client signs in anew while its token lives',
      due === 1 ? '1 token request' : '2 token requests: the second token lives for 31 days',
      String(signIns),
    )
  return good(observed) < observed.environment.fetches ? tooFewUses(observed) : PASSED
}

/** Requests at the same time share one sign-in. */
export function sharesSignIn(observed: ObservedSignIn, requests: readonly Exchange[]): Decision {
  const extra = overlapping(requests, observed)
  if (extra > 0)
    return failed(
      'the client signs in several times at the same time',
      '1 token request at a time',
      String(extra + 1),
    )
  const uses = observed.exchanges.filter((one) => isResourceUse(one) && bearerIn(one))
  const areTogether = overlapping(uses, observed) > 0
  // Behind a lock they sign in one after the other, as does one that renews minutes ahead where tokens live for seconds.
  const { tokenLifetime, resource } = observed.scenario.service ?? {}
  const due = 1 + (resource?.nth === undefined ? 0 : 1)
  if (areTogether && tokenLifetime === undefined && requests.length > due)
    return failed(
      'the client signs in for each of several requests at the same time',
      String(due),
      String(requests.length),
    )
  if (good(observed) < observed.environment.fetches)
    return requests.length === 1 && wasRefused(observed)
      ? inapplicable('the client does not sign in anew when its token is refused')
      : tooFewUses(observed)
  return observed.environment.concurrency === 1 || areTogether
    ? PASSED
    : inapplicable(
        'the client makes one request at a time: TOKEN_ASSAY_CONCURRENCY says how many it may make',
      )
}

/** On a busy machine, a request is noted so long after the delay of its answer has begun: milliseconds. */
const NOTED_LATE_MS = 100

/** Requests that came while the one before was not yet answered. */
function overlapping(requests: readonly Exchange[], { scenario: { answers = [] } }: ObservedSignIn): number {
  const delayMs = answers.find(({ delivery }) => delivery?.delayMs !== undefined)?.delivery?.delayMs ?? 0
  const times = requests.map(({ startedAt }) => startedAt)
  return times.slice(1).filter((time, at) => time - (times[at] ?? 0) < delayMs - NOTED_LATE_MS).length
}

/** The client goes on with a new token. */
export function signsInAnew(observed: ObservedSignIn): Decision {
  const { end, scenario, environment } = observed
  const uses = good(observed)
  if (goesBack(observed))
    return failed(
      'the client goes on with the token that was refused, and uses the new one only when it is refused again',
      'the new token in each request after its first use',
      'the token of before',
    )
  if (uses >= environment.fetches) return PASSED
  if (end.outOfTime) return cannotTell(end.problem ?? end.how)
  const isRefused = wasRefused(observed)
  // A client that knows of no further uses has ended well before any token did.
  if (end.signedIn && !isRefused) return tooFewUses(observed)
  if (scenario.service?.tokenLifetime !== undefined && hasExpiredUnused(observed))
    return cannotTell('a token had expired before the client used it: the machine may have been halted')
  return failed(
    `the client ${scenario.title.replace('signs in anew, once,', 'does not sign in anew')}`,
    `the resource answers ${environment.fetches} times by 200`,
    `${uses} by 200; ${isRefused ? 'then by 401; ' : ''}${howItEnded(end)}`,
  )
}

/**
 * One end of a token makes one sign-in, however many requests wait for it. A client that renews by a timer has used none when
 * the next is due; one that renews minutes ahead does so before each use, and never uses one of these tokens twice.
 */
export function signsInOnce(
  { exchanges, scenario }: ObservedSignIn,
  requests: readonly Exchange[],
): Decision {
  if (requests.length < 2) return cannotTell('the client did not sign in anew')
  const soonMs = (scenario.service?.tokenLifetime ?? Number.POSITIVE_INFINITY) * 250
  const goodUses = exchanges.filter(isAccepted).map(bearerIn)
  const keeps = new Set(goodUses).size < goodUses.length
  const ended = new Set<string>()
  let isDue: boolean | undefined
  let lastMs = 0
  for (const one of exchanges) {
    if (isResourceUse(one)) {
      const token = bearerIn(one) ?? ''
      if (token === '') continue
      isDue = isAccepted(one) ? !keeps : isDue || !ended.has(token)
      if (!isAccepted(one)) ended.add(token)
    } else if (requests.includes(one)) {
      if (isDue === false && one.startedAt - lastMs < soonMs)
        return failed('the client signs in several times for one token that has expired', '1', '2 or more')
      if (isDue !== undefined) isDue = false
      lastMs = one.startedAt
    }
  }
  return PASSED
}

/** What is refused again and again is given up. */
export function givesUp({ exchanges, end }: ObservedSignIn, requests: readonly Exchange[]): Decision {
  const uses = exchanges.filter(isResourceUse)
  if (!uses.some(({ response }) => response?.status === 401))
    return cannotTell('the client did not ask for the resource again: TOKEN_ASSAY_FETCHES says how often')
  if (requests.length > 1 + MAX_RENEWALS)
    return failed(
      'the client signs in again and again',
      `at most ${MAX_RENEWALS} times`,
      String(requests.length - 1),
    )
  if (uses.length > MAX_USES)
    return failed(
      'the client asks for the resource again and again',
      `at most ${MAX_USES} times`,
      String(uses.length),
    )
  return end.problem === undefined || end.cut === 'requests'
    ? PASSED
    : failed('the client does not end by itself', 'an end', howItEnded(end))
}

function wasRefused({ exchanges }: ObservedSignIn): boolean {
  return exchanges.some((one) => isResourceUse(one) && one.response?.status === 401)
}

/** No client can know that a token of which the life is a few seconds ends between its sign-in and its first use. */
function hasExpiredUnused({ exchanges, owners }: ObservedSignIn): boolean {
  const uses = exchanges.filter(isResourceUse)
  const accepted = new Set(uses.filter(({ response }) => response?.status === 200).map(bearerIn))
  return uses.some((one) => {
    const token = bearerIn(one) ?? ''
    return one.response?.status === 401 && owners.has(token) && !accepted.has(token)
  })
}

/** It has used a new token, and then sends one again that was refused before. A request without any asks for a challenge. */
function goesBack({ exchanges }: ObservedSignIn): boolean {
  const refused = new Set<string>()
  const leftAtMs = new Map<string, number>()
  return exchanges.filter(isResourceUse).some((one) => {
    const token = bearerIn(one) ?? ''
    if (token === '') return false
    if (isAccepted(one))
      for (const left of refused)
        leftAtMs.set(left, Math.min(one.startedAt, leftAtMs.get(left) ?? one.startedAt))
    else refused.add(token)
    return !isAccepted(one) && one.startedAt > (leftAtMs.get(token) ?? Number.POSITIVE_INFINITY)
  })
}

function isAccepted(one: Exchange): boolean {
  return isResourceUse(one) && one.response?.status === 200
}

function good({ exchanges }: ObservedSignIn): number {
  return exchanges.filter(isAccepted).length
}

function tooFewUses(observed: ObservedSignIn): Decision {
  const { end, environment } = observed
  return cannotTell(
    end.outOfTime
      ? (end.problem ?? end.how)
      : `the resource answered ${good(observed)} times by 200, where TOKEN_ASSAY_FETCHES asks for ${environment.fetches}`,
  )
}
