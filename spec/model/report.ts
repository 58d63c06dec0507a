import type { Judgement, Report, ReportExchange, Result } from '../generated/types/report.js'

export type * from '../generated/types/report.js'

/** What is known of a report before anything has been sent. */
export type ReportStart = Omit<
  Report,
  | 'durationMs'
  | 'verdict'
  | 'counts'
  | 'rules'
  | 'results'
  | 'observations'
  | 'limits'
  | 'trouble'
  | 'accounts'
  | 'stops'
  | 'baseline'
>

/** Begins the reason of an open judgement after trouble that a later sending of the same request did not meet. */
export const UNSTABLE = 'unstable: '

/** Within the reason of an open judgement, in any case: a signal or the end of its time came amid it. */
export const RUN_STOPPED = 'the run was stopped'

/** Within the reason of an open judgement: the service had been given up. */
export const STOPPED_ANSWERING = 'the deployment had stopped answering'

/** Within the reason of an open judgement: a plain login no longer works either. */
export const CEASED_TO_WORK = 'the service has ceased to work'
/** Of an exchange, why it failed: no fault of the service. */
export const NO_LOCAL_PORT = 'This machine has no local port left for the connection.'
/** Begins the reason of every case where the service that the target starts did not. */
export const NOT_STARTED = 'The service did not start'

/** The reason of an open judgement about an error, where a token came. */
export const TOKEN_NOT_ERROR = 'a token came instead of an error, so this error rule was not judged'

/** Begins the reason of a failed judgement that some of the answers show: in how many of them. */
export const SEEN = 'seen'

/** The message of a failed judgement where a registration that breaks the policy is accepted. */
export const INVALID_ACCEPTED = 'an invalid registration is accepted'
/** Ends the reason of an open judgement about how a registration is rejected, where it was accepted. */
export const NO_REJECTION = 'no rejection to judge'

/** Begins the reason of an open judgement where the service limits requests or logins. */
export const ASKED_TO_WAIT = 'The service asked to wait'

/** The exchanges that show a judgement; all of its result, where the report does not say which. */
export function exchangesOf(
  { exchanges }: Pick<Result, 'exchanges'>,
  { exchanges: places }: Pick<Judgement, 'exchanges'>,
): readonly ReportExchange[] {
  return places === undefined ? exchanges : places.flatMap((place) => exchanges[place] ?? [])
}
