import type { Exchange, WireRequest } from '../../exchange/exchange.js'
import type { RequestHead, ResponseHead } from './wire/head.js'
import { HeldBytes } from './wire/held-bytes.js'

/** Bytes of a request's body that are judged: more than any form with credentials has. */
const REQUEST_LIMIT = 64 * 1024
/** The same of an answer, encoded and decoded: as in `run`. */
export const ANSWER_LIMIT = 1024 * 1024

/** A request that is read, or on its way to an answer. */
export class PendingExchange {
  readonly request: Pick<WireRequest, 'method' | 'path' | 'headers'>
  /** The bodies of such a request and of its answer are judged. */
  readonly isKept: boolean
  /** It came after the service had ended its side. */
  readonly isLate: boolean
  /** All of the request has come. */
  isWhole = false
  /** All of the answer has come, which may be before the end of the request. */
  isAnswered = false
  /** Bytes on the wire. */
  sent = 0
  received = 0
  readonly body: BodyCopy
  /** Judged as headers are. */
  readonly trailers: [name: string, value: string][] = []
  #answer: { readonly head: ResponseHead; readonly body: BodyCopy } | undefined
  readonly #budget: Budget
  readonly #headBytes: number
  readonly #startedAt: number

  /** @param headBytes already taken from the budget */
  constructor(
    { method, target, headers }: RequestHead,
    headBytes: number,
    budget: Budget,
    { isKept, isLate, startedAt }: { isKept: boolean; isLate: boolean; startedAt: number },
  ) {
    this.request = { method, path: target, headers }
    this.isKept = isKept
    this.isLate = isLate
    this.body = new BodyCopy(isKept ? REQUEST_LIMIT : 0, budget)
    this.#budget = budget
    this.#headBytes = headBytes
    this.#startedAt = startedAt
  }

  /** The body of the answer; undefined before its head has come. */
  get answerBody(): BodyCopy | undefined {
    return this.#answer?.body
  }

  begin(head: ResponseHead): void {
    this.#answer = { head, body: new BodyCopy(this.isKept ? ANSWER_LIMIT : 0, this.#budget) }
  }

  /** The exchange as it ended, and its room is given back. @param failure why its answer did not come; absent: it came */
  end(receivedAt: number, failure?: Exchange['failure']): Exchange {
    const { request, body, isWhole, sent, received } = this
    const answer = failure === undefined ? this.#answer : undefined
    const exchange: Exchange = {
      request: {
        ...request,
        headers: [...request.headers, ...this.trailers],
        ...(this.trailers.length > 0 ? { trailers: this.trailers.length } : {}),
        body: body.bytes,
        ...(body.isTooLong ? { truncated: true } : {}),
        ...(isWhole ? {} : { incomplete: true }),
      },
      ...(failure === undefined ? {} : { failure }),
      ...(answer === undefined
        ? {}
        : {
            response: {
              status: answer.head.status,
              headers: answer.head.headers,
              body: answer.body.bytes,
              truncated: answer.body.isTooLong,
            },
          }),
      startedAt: this.#startedAt,
      receivedAt,
      durationMs: Math.max(0, receivedAt - this.#startedAt),
      bytes: { sent, received },
    }
    this.free()
    return exchange
  }

  free(): void {
    this.#budget.giveBack(this.#headBytes)
    this.body.free()
    this.#answer?.body.free()
  }
}

/** A copy of a body up to a limit, while its bytes pass on. */
class BodyCopy {
  readonly #limit: number
  readonly #budget: Budget
  #held = new HeldBytes()
  #isTooLong = false

  /** @param limit bytes; 0: none is kept */
  constructor(limit: number, budget: Budget) {
    this.#limit = limit
    this.#budget = budget
  }

  get isTooLong(): boolean {
    return this.#isTooLong
  }

  get bytes(): Buffer {
    return this.#held.bytes
  }

  add(bytes: Buffer): void {
    if (this.#isTooLong) return
    this.#isTooLong = this.#held.length + bytes.length > this.#limit || !this.#budget.take(bytes.length)
    if (this.#isTooLong) this.free()
    else this.#held.add(bytes)
  }

  /** Gives back what it took; the bytes that it gave stay as they are. */
  free(): void {
    this.#budget.giveBack(this.#held.length)
    this.#held = new HeldBytes()
  }
}

/** Bytes that all connections together may hold of bodies, and of the heads of requests that wait for answers. */
export class Budget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @returns whether there was so much */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}
