import type { Exchange, ExchangeFailure, WireRequest } from '../../exchange/exchange.js'
import { BodyCopy } from './body-copy.js'
import type { Budget } from './budget.js'
import {
  type Framing,
  type RequestHead,
  type ResponseHead,
  readRequestHead,
  readResponseHead,
} from './wire/head.js'
import { MessageReader } from './wire/message-reader.js'

export interface WatchOptions {
  /** Whether the bodies of such a request and of its answer are judged. */
  readonly keeps: (path: string) => boolean
  /** What is sent in place of the value of `Host`. Default: what the client sends. */
  readonly host?: string
  readonly budget: Budget
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The body of its answer is encoded as it came. */
  readonly onExchange: (exchange: Exchange) => void
  /** Of what the client sends on this connection nothing more is judged. */
  readonly onUnreadable: (why: string) => void
}

/** Bytes of a request's body that are judged: more than any form with credentials has. */
const REQUEST_LIMIT = 64 * 1024
/** The same of an answer, encoded and decoded: as in `run`. */
export const ANSWER_LIMIT = 1024 * 1024
/** Requests of a connection without an answer: a client that sends more is not watched further. */
const MAX_PIPELINED = 100
const NOTHING: Buffer = Buffer.alloc(0)

/** A request on its way to an answer. */
interface Pending {
  readonly request: Pick<WireRequest, 'method' | 'path' | 'headers'>
  readonly body: BodyCopy
  readonly keeps: boolean
  readonly startedAt: number
  /** All of the request has come. */
  isWhole: boolean
  answer?: { readonly head: ResponseHead; readonly body: BodyCopy }
  /** All of the answer has come, which may be before the end of the request. */
  isAnswered: boolean
}

/**
 * Reads along on both sides of one connection, and yields each exchange once it is over. It never waits and never
 * throws: what it cannot read passes unread.
 */
export class ConnectionWatch {
  readonly #options: WatchOptions
  readonly #requests: MessageReader
  readonly #answers: MessageReader
  /** Without a whole answer yet, in the order of the requests. */
  readonly #pending: Pending[] = []
  /** The request that is being read. */
  #receiving: Pending | undefined
  /** Requests follow that are not known of. */
  #isLost = false
  #refusal: string | undefined
  /** Heads to rewrite in what is read now. */
  readonly #heads: { readonly head: RequestHead; readonly from: number }[] = []
  /** What is kept back of a head that is to be rewritten. */
  #back: Buffer[] = []

  constructor(options: WatchOptions) {
    this.#options = options
    this.#requests = new MessageReader({
      accepts: (beginning) => this.#accepts(beginning),
      onHead: (text, from) => this.#onRequestHead(text, from),
      onBody: (bytes) => this.#receiving?.body.add(bytes),
      onEnd: () => this.#onRequestEnd(),
      onUnreadable: (why) => this.#onUnreadableRequest(why),
    })
    this.#answers = new MessageReader({
      accepts: () => true,
      onHead: (text) => this.#onAnswerHead(text),
      onBody: (bytes) => this.#pending[0]?.answer?.body.add(bytes),
      onEnd: () => this.#onAnswerEnd(),
      onUnreadable: (why) => this.#onUnreadableAnswer(why),
    })
  }

  /** Why the client is to be refused: it takes this for a proxy to anywhere. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /** A request is on its way, or its answer. */
  get isBusy(): boolean {
    return this.#pending.length > 0
  }

  /** @returns what is to be passed on */
  fromClient(bytes: Buffer): Buffer {
    if (this.#refusal !== undefined) return NOTHING
    const passing = this.#requests.read(bytes)
    const accepted = passing === bytes.length ? bytes : bytes.subarray(0, passing)
    return this.#options.host === undefined ? accepted : this.#rewritten(accepted, this.#options.host)
  }

  fromService(bytes: Buffer): void {
    this.#answers.read(bytes)
  }

  /** The client sends nothing more. @returns what was kept back */
  clientEnded(): Buffer {
    this.#requests.stop()
    return Buffer.concat(this.#back.splice(0))
  }

  serviceEnded(): void {
    // RFC 9112, section 6.3: what has no length ends here; anything else is cut.
    const isCut = this.#pending[0]?.answer?.head.framing.kind !== 'close'
    if (isCut) this.#answers.stop()
    else this.#answers.end()
  }

  /** The connection is over: what has no answer gets none. */
  closed(why: ExchangeFailure): void {
    const isInside = this.#requests.heldBytes > 0
    this.#stop()
    if (this.#receiving?.isAnswered) this.#yieldAnswered(this.#receiving)
    this.#receiving = undefined
    this.#yieldUnanswered(why)
    if (isInside) this.#options.onUnreadable('the connection ended inside the head of a request')
  }

  #accepts(beginning: string): boolean | undefined {
    const [, method, scheme, next] = /^([!-~]+) (?:([A-Za-z][\w+.-]*)(.?)|.)/s.exec(beginning) ?? []
    if (method === undefined || (method !== 'CONNECT' && next === '')) return undefined
    if (method !== 'CONNECT' && (scheme === undefined || next !== ':')) return true
    const what = method === 'CONNECT' ? 'CONNECT' : 'a request for a whole URL'
    this.#refusal = `${what}: this proxy has one target, and is used as its base URL`
    return false
  }

  #onRequestHead(text: string, from: number): Framing | undefined {
    const head = readRequestHead(text)
    if (typeof head === 'string') return this.#onUnreadableRequest(head)
    if (this.#pending.length >= MAX_PIPELINED)
      return this.#onUnreadableRequest(`more than ${MAX_PIPELINED} requests wait for their answers`)
    const { budget, host, keeps, now } = this.#options
    if (host !== undefined) this.#heads.push({ head, from })
    const { method, target, headers } = head
    const [path = ''] = target.split('?', 1)
    const isKept = keeps(path)
    this.#receiving = {
      request: { method, path: target, headers },
      body: new BodyCopy(isKept ? REQUEST_LIMIT : 0, budget),
      keeps: isKept,
      startedAt: now(),
      isWhole: false,
      isAnswered: false,
    }
    this.#pending.push(this.#receiving)
    return head.framing
  }

  #onRequestEnd(): void {
    const pending = this.#receiving
    if (pending === undefined) return
    this.#receiving = undefined
    pending.isWhole = true
    if (pending.isAnswered) this.#yieldAnswered(pending)
  }

  #onAnswerHead(text: string): Framing | undefined {
    const [pending] = this.#pending
    if (pending === undefined)
      return this.#isLost ? undefined : this.#onUnreadableAnswer('an answer came before its request')
    const head = readResponseHead(text, pending.request.method)
    if (typeof head === 'string') return this.#onUnreadableAnswer(head)
    if (head.status === 101) {
      // Another protocol follows: nothing of it is judged, and nothing is wrong.
      this.#stop()
      for (const one of this.#pending.splice(0)) free(one)
      return undefined
    }
    if (head.status >= 200)
      pending.answer = {
        head,
        body: new BodyCopy(pending.keeps ? ANSWER_LIMIT : 0, this.#options.budget),
      }
    return head.framing
  }

  #onAnswerEnd(): void {
    const [pending] = this.#pending
    // An interim answer is none.
    if (pending?.answer === undefined) return
    this.#pending.shift()
    pending.isAnswered = true
    if (pending.isWhole) this.#yieldAnswered(pending)
  }

  #yieldAnswered(pending: Pending): void {
    if (pending.answer === undefined) return
    const { head, body } = pending.answer
    const { status, headers } = head
    this.#yield(pending, { response: { status, headers, body: body.bytes, truncated: body.isTooLong } })
  }

  #yieldUnanswered(why: ExchangeFailure): void {
    const inside: ExchangeFailure = { kind: 'incomplete', message: 'the connection ended inside the answer' }
    for (const pending of this.#pending.splice(0)) {
      const isInside = pending.answer !== undefined && why.kind === 'reset'
      this.#yield(pending, { failure: isInside ? inside : why })
    }
  }

  #yield(pending: Pending, end: Pick<Exchange, 'response' | 'failure'>): void {
    const { request, body, isWhole, startedAt } = pending
    const receivedAt = this.#options.now()
    this.#options.onExchange({
      request: {
        ...request,
        body: body.bytes,
        ...(body.isTooLong ? { truncated: true } : {}),
        ...(isWhole ? {} : { incomplete: true }),
      },
      ...end,
      startedAt,
      receivedAt,
      durationMs: Math.max(0, receivedAt - startedAt),
    })
    free(pending)
  }

  /** Of the requests before it the answers are still awaited. */
  #onUnreadableRequest(why: string): undefined {
    this.#requests.stop()
    this.#isLost = true
    this.#options.onUnreadable(why)
  }

  #onUnreadableAnswer(why: string): undefined {
    this.#stop()
    this.#receiving = undefined
    this.#yieldUnanswered({ kind: 'protocol', message: `the answer cannot be read: ${why}` })
  }

  #stop(): void {
    this.#requests.stop()
    this.#answers.stop()
  }

  /** The bytes with another value of `Host` in each head; a head that has not ended is kept back. */
  #rewritten(bytes: Buffer, host: string): Buffer {
    const heads = this.#heads.splice(0)
    const kept = this.#requests.heldBytes
    if (heads.length === 0 && kept > 0 && kept >= bytes.length) {
      this.#back.push(Buffer.from(bytes))
      return NOTHING
    }
    const before = this.#back.reduce((length, part) => length + part.length, 0)
    const all = Buffer.concat([...this.#back, bytes])
    const parts: Buffer[] = []
    let done = 0
    for (const { head, from } of heads) {
      if (head.host === undefined) continue
      const start = before + from
      parts.push(all.subarray(done, start + head.host.from), Buffer.from(host, 'latin1'))
      done = start + head.host.to
    }
    parts.push(all.subarray(done, all.length - kept))
    this.#back = kept === 0 ? [] : [all.subarray(all.length - kept)]
    return Buffer.concat(parts)
  }
}

function free({ body, answer }: Pending): void {
  body.free()
  answer?.body.free()
}
