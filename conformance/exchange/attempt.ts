import type { ExchangeFailure, WireResponse } from '../exchange.js'
import { codingsOf, decode } from './decode.js'
import { failure, failureOf, type Progress, switchesProtocol } from './failures.js'

/** What came of one sending. */
export interface Outcome {
  readonly answer: { readonly response: WireResponse } | { readonly failure: ExchangeFailure }
  /** The connection can carry another exchange. */
  readonly reusable: boolean
}

/** The part of undici's controller that is used. */
export interface Controller {
  readonly rawHeaders?: unknown
  pause(): void
}

/** A compressed body may be a little longer than what it holds. */
const codingOverhead = 64 * 1024

/**
 * One sending over one connection: undici calls it with what comes, and it settles exactly once.
 * It ends nothing itself: undici's own `abort` inside a body without a length fails an assertion of undici's, outside
 * of every `catch`. Whoever is told that the connection is not reusable destroys it.
 */
export class Attempt {
  progress: Progress = 'connecting'
  readonly #maxBytes: number
  readonly #secure: boolean
  readonly #began: () => void
  readonly #settled: (outcome: Outcome) => void
  /** What came is all that is wanted of it: it is being decoded, or has been reported. */
  #closed = false
  #done = false
  readonly #timer: NodeJS.Timeout
  #status = 0
  #headers: (readonly [string, string])[] = []
  #codings: readonly string[] = []
  #wireLimit = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(
    maxBytes: number,
    secure: boolean,
    timeoutMs: number,
    began: () => void,
    settled: (outcome: Outcome) => void,
  ) {
    this.#maxBytes = maxBytes
    this.#secure = secure
    this.#began = began
    this.#settled = settled
    this.#timer = setTimeout(expire, timeoutMs, this, timeoutMs)
  }

  onRequestStart(): void {
    this.progress = 'sent'
    this.#began()
  }

  onResponseStarted(): void {
    this.progress = 'answering'
  }

  onResponseStart(controller: Controller, status: number): void {
    if (status === 101) this.fail('protocol', switchesProtocol)
    if (status < 200) return
    this.progress = 'headers'
    this.#status = status
    this.#headers = headerPairs(controller.rawHeaders)
    this.#codings = codingsOf(this.#headers)
    this.#wireLimit = this.#codings.length === 0 ? this.#maxBytes : this.#maxBytes + codingOverhead
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#closed) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= this.#wireLimit) return
    // Decoding waits for a thread: nothing more is taken meanwhile.
    controller.pause()
    this.#answer(true)
  }

  onResponseEnd(): void {
    this.#answer(false)
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#closed) return
    // undici takes the Content-Length of these, which tells of another answer (RFC 9110 8.6), for one of a body.
    if (this.#status === 204 || this.#status === 304) this.#respond(Buffer.alloc(0), false, false)
    else this.#settle({ failure: failureOf(error, this.progress, this.#secure) }, false)
  }

  fail(kind: ExchangeFailure['kind'], message: string): void {
    this.#settle({ failure: failure(kind, message) }, false)
  }

  #answer(cut: boolean): void {
    if (this.#closed) return
    this.#closed = true
    const [first, second] = this.#chunks
    const wire =
      first !== undefined && second === undefined
        ? first.subarray(0, this.#wireLimit)
        : Buffer.concat(this.#chunks, Math.min(this.#size, this.#wireLimit))
    this.#chunks = []
    if (this.#codings.length === 0 || wire.length === 0) this.#respond(wire, cut, !cut)
    else void this.#decode(wire, cut)
  }

  async #decode(wire: Uint8Array, cut: boolean): Promise<void> {
    const decoded = await decode(wire, this.#codings, this.#maxBytes, cut)
    if ('failure' in decoded) this.#settle({ failure: failure('encoding', decoded.failure) }, !cut)
    else this.#respond(decoded.body, decoded.truncated, !cut)
  }

  #respond(body: Uint8Array, truncated: boolean, reusable: boolean): void {
    this.#settle({ response: { status: this.#status, headers: this.#headers, body, truncated } }, reusable)
  }

  #settle(answer: Outcome['answer'], reusable: boolean): void {
    if (this.#done) return
    this.#done = true
    this.#closed = true
    clearTimeout(this.#timer)
    this.#settled({ answer, reusable })
  }
}

function expire(attempt: Attempt, timeoutMs: number): void {
  attempt.fail('timeout', `No complete answer came within ${timeoutMs} ms.`)
}

/** Names and values by turns, as bytes, become pairs of strings. */
function headerPairs(raw: unknown): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  if (!Array.isArray(raw)) return pairs
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([text(raw[index]), text(raw[index + 1])])
  return pairs
}

function text(bytes: unknown): string {
  return Buffer.isBuffer(bytes) ? bytes.toString('latin1') : String(bytes)
}
