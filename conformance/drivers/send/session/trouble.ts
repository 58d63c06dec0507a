import { UNSTABLE } from '../../../../spec/model/report.js'
import type { FailureKind } from '../../../exchange/exchange.js'
import type { SentRequest, Session } from './session.js'

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

/** Before the same request is sent again: of what answered 503 it may be one too many at a time. */
export function easeIfBusy({ executor }: Pick<Session, 'executor'>, troubles: readonly SentRequest[]): void {
  if (isBusy(troubles.at(-1))) executor.ease(troubles.length)
}

/** After that. @param last its last sending */
export function learnIfEased(
  { executor }: Pick<Session, 'executor'>,
  [first]: readonly SentRequest[],
  last: SentRequest | undefined,
): void {
  if (isBusy(first)) executor.learnEased(isBusy(last))
}

function isBusy(sent: SentRequest | undefined): boolean {
  return sent?.exchange.response?.status === 503 && sent.exchange.failure === undefined
}

const LIMITED = ': if a proxy limits requests, declare `maxRequestsPerSecond` to stay below its limit'

/** Why there is no judgement after a trouble that a later sending of the same request did not meet. */
export function explainUnstable(sent: Pick<SentRequest, 'exchange'>): string {
  const remedy = sent.exchange.response?.status === 503 ? LIMITED : ''
  return `${UNSTABLE}${troubleOf(sent)}, which did not recur for the same request${remedy}`
}
