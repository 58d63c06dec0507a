import type { Decision } from './decision.js'
import { isNone, judgeReported } from './judge-reported.js'
import { isSignedIn, type ObservedSignIn } from './observed-sign-in.js'

/** What another answer makes of a client. `gains`: it signs in, or tells the error, where it did not. */
export interface Effect {
  readonly kind: 'breaks' | 'gains' | 'same' | 'inconclusive'
  /** Says of the client what is worse, or why nothing can be said. */
  readonly how: string
}

/** A sign-in, and what of the answer to it counts. */
export interface AnsweredSignIn extends ObservedSignIn {
  readonly isGranted: boolean
  /** It says why it refuses: an error of the service does not. */
  readonly isTelling: boolean
}

const SAME: Effect = { kind: 'same', how: '' }
/** A client that took this much of its time would not have had enough of it. */
const SLOW = 1 / 3

/** How the same sign-in ends with the new answer, held against its end with the old one. Pure. */
export function effectOf(old: AnsweredSignIn, now: AnsweredSignIn): Effect {
  const [before, after] = [isSignedIn(old), isSignedIn(now)]
  if (old.end.outOfTime || (now.end.outOfTime && old.durationMs > SLOW * now.durationMs))
    return { kind: 'inconclusive', how: now.end.problem ?? old.end.problem ?? '' }
  if (before && after) return reportsLess(old, now)
  if (before)
    return old.isGranted
      ? { kind: 'breaks', how: now.end.problem ? 'does not end by itself' : 'does not sign in' }
      : { kind: 'gains', how: 'no longer takes the refusal for a sign-in' }
  if (after)
    return now.isGranted
      ? { kind: 'gains', how: 'signs in' }
      : { kind: 'breaks', how: 'takes the refusal for a sign-in' }
  if (old.end.how === now.end.how && isByItself(old) === isByItself(now)) return SAME
  if (isByItself(old) && !isByItself(now)) return { kind: 'breaks', how: 'does not end by itself' }
  return !isByItself(old) || (!old.isTelling && now.isTelling)
    ? { kind: 'gains', how: 'tells the error' }
    : { kind: 'breaks', how: `reports another error: ${now.end.how}, before ${old.end.how}` }
}

function isByItself({ end }: ObservedSignIn): boolean {
  return end.problem === undefined
}

/** Both signed in: what it reports of that was right, and is wrong or missing. */
function reportsLess(old: ObservedSignIn, now: ObservedSignIn): Effect {
  const lost = (['userName', 'expiresAt'] as const).find(
    (name) => !isNone(old.end.reported?.[name]) && isNone(now.end.reported?.[name]),
  )
  const [before, after]: Decision[] = [judgeReported(old), judgeReported(now)]
  if (before?.outcome !== 'passed') return SAME
  if (lost !== undefined) return { kind: 'breaks', how: `no longer reports ${lost}` }
  return after?.outcome === 'failed'
    ? { kind: 'breaks', how: `${(after.message ?? '').replace('the client ', '')}: ${after.actual}` }
    : SAME
}
