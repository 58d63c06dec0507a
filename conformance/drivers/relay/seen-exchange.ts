import type { ReceivedRequest } from '../../../reference/http/received-request.js'
import type { HeaderList } from '../../../spec/model/report.js'

/** A request as it went by. */
export interface SeenRequest extends Omit<ReceivedRequest, 'headers' | 'headerNames'> {
  /** As they came: spelling, order and duplicates kept. */
  readonly headers: HeaderList
}

/** An answer as it went by; its body as it is encoded. */
export interface SeenAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The body is longer than what is kept. */
  readonly bodyTooLong: boolean
}

/** Why a request has no answer. */
export type NoAnswer =
  /** The service closed the connection, or could not be reached. */
  | { readonly by: 'service'; readonly reason: string; readonly closed: boolean }
  /** The client went away, or the proxy was stopped: nothing is known of the service. */
  | { readonly by: 'client' | 'proxy' }

/** A request and its answer, as they went by. */
export interface SeenExchange {
  readonly request: SeenRequest
  /** The whole of it came. */
  readonly isWhole: boolean
  readonly answer: SeenAnswer | NoAnswer
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly receivedAt: number
}

export function isAnswer(answer: SeenAnswer | NoAnswer): answer is SeenAnswer {
  return 'status' in answer
}
