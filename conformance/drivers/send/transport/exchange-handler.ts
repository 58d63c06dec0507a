import type { Dispatcher } from 'undici'
import type { ExchangeFailure, WireResponse } from '../../../exchange/exchange.js'
import { codingsOf, headerValues } from '../../../exchange/headers.js'
import { failure, failureOf, type Progress, switchesProtocol, transferCoded } from './failures.js'

/** The end of an exchange: a response or a failure. */
type Settled = { readonly response: WireResponse } | { readonly failure: ExchangeFailure }

interface ExchangeEvents {
  /** The request is being written. */
  readonly started: () => void
  /** Called once. `reusable`: the connection can carry another exchange. */
  readonly settled: (result: Settled, reusable: boolean) => void
}

/** A compressed body may be a little longer than what it holds. */
const codingOverhead = 64 * 1024
const maxChunks = 1024

/**
 * One exchange over one connection: undici calls it with what comes, and it settles exactly once. Its methods are those
 * of undici's older interface, as the newer one is given an object of the headers, which takes longer than all else here.
 * It ends nothing itself: undici's own `abort` inside a body without a length fails an assertion of undici's, outside
 * of every `catch`. A connection that is not reusable is destroyed by its owner.
 */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  progress: Progress = 'connecting'
  readonly #maxBytes: number
  readonly #secure: boolean
  readonly #events: ExchangeEvents
  readonly #deadline: NodeJS.Timeout
  /** Nothing more is read: the body is being decoded, or the exchange has settled. */
  #closed = false
  #done = false
  #status = 0
  #headers: (readonly [string, string])[] = []
  #codings: readonly string[] = []
  #wireLimit = 0
  #chunks: Buffer[] = []
  #size = 0
  #isCut = false

  constructor(
    {
      origin,
      timeoutMs,
      maxBodyBytes,
    }: { readonly origin: string; readonly timeoutMs: number; readonly maxBodyBytes: number },
    events: ExchangeEvents,
  ) {
    this.#maxBytes = maxBodyBytes
    this.#secure = origin.startsWith('https:')
    this.#events = events
    this.#deadline = setTimeout(expire, timeoutMs, this, timeoutMs)
  }

  /** The request is on its way, and its answer is not complete. */
  get isAwaiting(): boolean {
    return this.progress !== 'connecting' && !this.#closed
  }

  onConnect(): void {
    this.progress = 'sent'
    this.#events.started()
  }

  onResponseStarted(): void {
    this.progress = 'answering'
  }

  onHeaders(status: number, rawHeaders: Buffer[]): boolean {
    if (status === 101) this.fail('protocol', switchesProtocol)
    if (status < 200) return true
    this.progress = 'headers'
    this.#status = status
    this.#headers = headerPairs(rawHeaders)
    // undici undoes no other coding, and takes what is coded for the body.
    const transfer = headerValues(this.#headers, 'transfer-encoding').join().trim()
    if (!/^(?:chunked)?$/i.test(transfer)) this.fail('protocol', transferCoded)
    this.#codings = codingsOf(this.#headers)
    this.#wireLimit = this.#codings.length === 0 ? this.#maxBytes : this.#maxBytes + codingOverhead
    return true
  }

  /** Whether more is to be taken: decoding waits for a thread, and nothing is meanwhile. */
  onData(chunk: Buffer): boolean {
    if (this.#closed) return !this.#isCut
    this.#chunks.push(chunk)
    // A service may send byte by byte, and each chunk is an object.
    if (this.#chunks.length === maxChunks) this.#chunks = [Buffer.concat(this.#chunks)]
    this.#size += chunk.length
    if (this.#size <= this.#wireLimit) return true
    this.#isCut = true
    this.#readBody(true)
    return false
  }

  onComplete(): void {
    this.#readBody(false)
  }

  onError(error: Error): void {
    if (this.#closed) return
    // undici takes the Content-Length of these, which describes another answer (RFC 9110 8.6), for one of a body.
    if (this.#status === 204 || this.#status === 304) this.#respond(Buffer.alloc(0), false, false)
    else this.#settle({ failure: failureOf(error, this.progress, this.#secure) }, false)
  }

  fail(kind: ExchangeFailure['kind'], message: string): void {
    this.#settle({ failure: failure(kind, message) }, false)
  }

  #readBody(cut: boolean): void {
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
    // Few services encode what they answer.
    const { decode } = await import('../../../exchange/decode.js')
    const decoded = await decode(wire, this.#codings, this.#maxBytes, cut)
    if ('failure' in decoded) this.#settle({ failure: failure('encoding', decoded.failure) }, !cut)
    else this.#respond(decoded.body, decoded.truncated, !cut)
  }

  #respond(body: Uint8Array, truncated: boolean, reusable: boolean): void {
    this.#settle({ response: { status: this.#status, headers: this.#headers, body, truncated } }, reusable)
  }

  #settle(result: Settled, reusable: boolean): void {
    if (this.#done) return
    this.#done = true
    this.#closed = true
    clearTimeout(this.#deadline)
    this.#events.settled(result, reusable)
  }
}

function expire(handler: ExchangeHandler, timeoutMs: number): void {
  handler.fail('timeout', `No complete answer came within ${timeoutMs} ms.`)
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
