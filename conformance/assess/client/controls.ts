import {
  howItEnded,
  isResourceUse,
  isSignedIn,
  type ObservedSignIn,
} from '../../judge/client/observed-sign-in.js'

/** Why the client cannot be judged, and the scenario that shows it. */
export interface FailedControl {
  readonly reason: string
  readonly scenario: string
}

/** Undefined where a plain answer signs the client in and a refusal does not. */
export function whatControlsShow(controls: readonly ObservedSignIn[]): FailedControl | undefined {
  const [granted, refused] = controls
  if (granted === undefined || refused === undefined) throw new Error('the suite has no controls')
  const reason = whatPlainAnswerShows(granted)
  if (reason !== undefined) return { reason, scenario: granted.scenario.id }
  if (!isSignedIn(refused)) return undefined
  const { how } = refused.end
  return {
    reason: `the client reports a sign-in after a wrong password (${how}): fix that first`,
    scenario: refused.scenario.id,
  }
}

function whatPlainAnswerShows(granted: ObservedSignIn): string | undefined {
  const { end, exchanges, unreadable } = granted
  if (exchanges.length === 0 && unreadable !== undefined)
    return `the client sent no request that can be read: ${unreadable}`
  if (exchanges.length === 0)
    return `the client sent no request (${howItEnded(end)}): does it use TOKEN_ASSAY_URL?`
  if (exchanges.every(isResourceUse))
    return 'the client asked for no token: does it keep one from an earlier call?'
  return isSignedIn(granted)
    ? undefined
    : `a plain answer to right credentials does not sign the client in: ${howItEnded(end)}`
}
