import type { Exchange } from '../../exchange/exchange.js'
import { headerValues } from '../../exchange/headers.js'
import { cannotTell, type Decision, failed, inapplicable, PASSED } from './decision.js'
import { isRefused, isResourceUse, type ObservedSignIn } from './observed-sign-in.js'

/** More token requests than this for one refused sign-in ask without end. */
const MAX_RETRIES = 5
/** A wait may be this much shorter, for what a clock rounds: milliseconds. */
const EARLY_MS = 100
/** The same of a wait until a date, of which a client may leave out the parts of a second. */
const EARLY_FOR_DATE_MS = 1100

/** 7: what is refused is not asked for without end, and not before the time that the answer names. */
export function retriesInTime(observed: ObservedSignIn, requests: readonly Exchange[]): Decision {
  const isRenewal = observed.scenario.service?.renewal !== undefined
  // A success without a token is a refusal, too.
  const refused = isRenewal ? requests.filter(isRefused) : requests
  if (refused.length === 0 && isRenewal) return notRenewed(observed)
  // A session may sign in for each use.
  const allowed = MAX_RETRIES * observed.environment.fetches
  if (refused.length > allowed)
    return failed('the client asks again and again', `at most ${allowed} requests`, String(refused.length))
  const early = refused.slice(1).flatMap(({ startedAt }, at) => {
    const before = refused[at]
    const { waitMs, earlyMs } = before === undefined ? { waitMs: 0, earlyMs: 0 } : waitAskedFor(before)
    const waitedMs = startedAt - (before?.startedAt ?? 0)
    return waitedMs < waitMs - earlyMs ? [{ waitMs, waitedMs }] : []
  })[0]
  return early === undefined
    ? PASSED
    : failed(
        'the client does not wait as Retry-After says',
        `at least ${Math.round(early.waitMs)} ms`,
        `${Math.round(early.waitedMs)} ms`,
      )
}

/** RFC 9110 10.2.3: seconds or a date. */
function waitAskedFor({ response, startedAt }: Exchange): {
  readonly waitMs: number
  readonly earlyMs: number
} {
  const [retryAfter = '0'] = headerValues(response?.headers ?? [], 'retry-after')
  const seconds = Number(retryAfter)
  return Number.isNaN(seconds)
    ? { waitMs: Date.parse(retryAfter) - startedAt, earlyMs: EARLY_FOR_DATE_MS }
    : { waitMs: seconds * 1000, earlyMs: EARLY_MS }
}

/** The session went no further than its first token. */
function notRenewed({ end, exchanges }: ObservedSignIn): Decision {
  if (end.outOfTime) return cannotTell(end.problem ?? end.how)
  return exchanges.some((one) => isResourceUse(one) && isRefused(one))
    ? inapplicable('the client does not sign in anew when its token is refused')
    : cannotTell('the client did not sign in anew')
}
