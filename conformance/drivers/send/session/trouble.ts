import { UNSTABLE } from '../../../../spec/model/report.js'
import type { FailureKind } from '../../../exchange/exchange.js'
import type { SentRequest } from './session.js'

/** After so many sendings with the same end, that end is the service's answer to this request. */
export const MAX_SENDINGS = 6
/** Each of these takes as long as the target's `timeoutMs`. */
const MAX_TIMEOUTS = 2

const FAILURES: Partial<Readonly<Record<FailureKind, string>>> = {
  timeout: 'a time-out',
  reset: 'a dropped connection',
  incomplete: 'a connection that ended inside the answer',
  refused: 'a refused connection',
  silent: 'silence',
}

/**
 * What may be a passing trouble of the service rather than its answer to this very request: a status of 500 or more, a
 * dropped connection, a time-out. Undefined: none of them.
 */
export function troubleOf({
  exchange: { response, failure },
}: Pick<SentRequest, 'exchange'>): string | undefined {
  if (failure !== undefined) return FAILURES[failure.kind]
  return response !== undefined && response.status >= 500 ? `status ${response.status}` : undefined
}

/** Whether a request that ended so often in trouble is sent once more. */
export function mayRepeat(sent: readonly SentRequest[], max = MAX_SENDINGS): boolean {
  const kinds = sent.map(({ exchange }) => exchange.failure?.kind)
  const timeouts = kinds.filter((kind) => kind === 'timeout').length
  return sent.length < max && timeouts < MAX_TIMEOUTS && !kinds.includes('silent')
}

/** Why there is no judgement after a trouble that a later sending of the same request did not meet. */
export function explainUnstable(sent: Pick<SentRequest, 'exchange'>): string {
  return `${UNSTABLE}${troubleOf(sent)}, which did not recur for the same request`
}
