import { createHash } from 'node:crypto'
import type { HeaderList } from '../../../spec/model/report.js'
import type { Exchange, ExchangeFailure, UnreadPiece } from '../../exchange/exchange.js'
import { headerValues } from '../../exchange/headers.js'
import { PassingBytes } from './passing-bytes.js'
import { type Budget, PendingExchange } from './pending-exchange.js'
import { type RelayRefusal, type RequestGuard, refusalOf } from './request-guard.js'
import { type Framing, type ResponseHead, readRequestHead, readResponseHead } from './wire/head.js'
import { MessageReader } from './wire/message-reader.js'

export interface WatchOptions {
  /** Whether the bodies of such a request and of its answer are judged. */
  readonly keeps: (path: string) => boolean
  /** What is sent in place of the value of `Host`. Default: what the client sends. */
  readonly host?: string
  readonly guard?: RequestGuard
  readonly budget: Budget
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The body of its answer is encoded as it came. */
  readonly onExchange: (exchange: Exchange) => void
  readonly onUnread: (piece: UnreadPiece) => void
}

/** Requests of a connection without an answer: a client that sends more is not watched further. */
const MAX_PIPELINED = 100
const OF_WEBSOCKET = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const NOTHING: Buffer = Buffer.alloc(0)
const LATE: ExchangeFailure = {
  kind: 'late',
  message: 'the service had closed the connection before this request',
}

const INSIDE: ExchangeFailure = { kind: 'incomplete', message: 'the connection ended inside the answer' }
const CUT = 'the connection ended inside the head of the answer'

/**
 * Reads along on both sides of one connection, and says what passes on of what the client sends. Every byte that passes is in
 * one exchange or in one unread piece. It never waits and never throws: what it cannot read passes unread.
 */
export class ConnectionWatch {
  readonly #options: WatchOptions
  readonly #requests: MessageReader
  readonly #answers: MessageReader
  readonly #passing = new PassingBytes()
  /** Without a whole answer yet, in the order of the requests. */
  #pending: PendingExchange[] = []
  #receiving: PendingExchange | undefined
  /** Another protocol was asked for and agreed on: all further bytes are of this exchange. */
  #switched: PendingExchange | undefined
  /** Why nothing more is read of a side. */
  #unreadClient: string | undefined
  #unreadService: string | undefined
  #refusal: RelayRefusal | undefined
  /** Of what was not in a message, bytes that had passed before. */
  #beforeRefusal = 0
  #serviceEnded = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#requests = new MessageReader({
      onHead: (text, from) => this.#onRequestHead(text, from),
      onBody: (bytes) => this.#receiving?.body.add(bytes),
      onTrailer: (name, value) => this.#receiving?.trailers.push([name, value]),
      onEnd: (size) => this.#onRequestEnd(size),
      onUnreadable: (why, head, from) => {
        if (head === undefined || !this.#refuses(head, from)) this.#onUnreadableRequest(why)
      },
    })
    this.#answers = new MessageReader({
      areAnswers: true,
      onHead: (text) => this.#onAnswerHead(text),
      onBody: (bytes) => this.#pending[0]?.answerBody?.add(bytes),
      onEnd: (size) => this.#onAnswerEnd(size),
      onUnreadable: (why) => this.#onUnreadableAnswer(why),
    })
  }

  get refusal(): RelayRefusal | undefined {
    return this.#refusal
  }

  get isBusy(): boolean {
    return this.#pending.length > 0 && !this.#serviceEnded
  }

  fromClient(bytes: Buffer): Buffer {
    if (this.#refusal !== undefined) return NOTHING
    this.#requests.read(bytes)
    return this.#passing.pass(bytes, this.#requests.held.length)
  }

  fromService(bytes: Buffer): void {
    this.#answers.read(bytes)
  }

  clientEnded(): Buffer {
    const { held } = this.#requests
    if (this.#refusal !== undefined || this.#refuses(held.toString('latin1'), -held.length)) return NOTHING
    if (held.length > 0) this.#onUnreadableRequest('the connection ended inside the head of the request')
    return this.#passing.pass(NOTHING, 0)
  }

  serviceEnded(): void {
    this.#serviceEnded = true
    // RFC 9112, section 6.3: what has no length ends here.
    this.#answers.end()
  }

  /** No byte passes any more. @param why what has no answer gets none */
  over(why: ExchangeFailure): void {
    const passed = this.#requests.unended - this.#passing.heldBack
    const sent = this.#refusal === undefined ? passed : this.#beforeRefusal
    const received = this.#answers.unended
    const [awaiting] = this.#pending
    const switched = this.#switched
    const sender = switched ?? (this.#unreadClient === undefined ? this.#receiving : undefined)
    if (sender !== undefined) sender.sent += sent
    else this.#unread('client', sent, this.#unreadClient)
    const answered = switched ?? (this.#unreadService === undefined ? awaiting : undefined)
    if (answered !== undefined) answered.received += received
    else this.#unread('service', received, this.#unreadService ?? (this.#answers.isBetween ? undefined : CUT))
    if (switched !== undefined) this.#yield(switched)
    if (this.#receiving?.isAnswered) this.#yield(this.#receiving)
    this.#receiving = undefined
    this.#yieldUnanswered(why)
    this.#requests.stop()
    this.#answers.stop()
  }

  /** @param from where the head begins in what is read now */
  #refuses(head: string, from = 0): boolean {
    this.#refusal = refusalOf(head, this.#options.guard)
    if (this.#refusal === undefined) return false
    this.#passing.stopAt(from)
    this.#beforeRefusal = this.#requests.unended - Math.max(0, -from)
    this.#requests.stop()
    return true
  }

  #onRequestHead(text: string, from: number): Framing | undefined {
    if (this.#refuses(text, from)) return undefined
    const head = readRequestHead(text)
    if (typeof head === 'string') return this.#onUnreadableRequest(head)
    if (this.#pending.length >= MAX_PIPELINED)
      return this.#onUnreadableRequest(`more than ${MAX_PIPELINED} requests wait for their answers`)
    const { budget, host, keeps, now } = this.#options
    if (!budget.take(text.length))
      return this.#onUnreadableRequest('more bytes wait for their answers than are held')
    if (host !== undefined && head.host !== undefined)
      this.#passing.replace({ from: from + head.host.from, to: from + head.host.to }, host)
    const [path = ''] = head.target.split('?', 1)
    this.#receiving = new PendingExchange(head, text.length, budget, {
      isKept: keeps(path),
      isLate: this.#serviceEnded,
      startedAt: now(),
    })
    this.#pending.push(this.#receiving)
    return head.framing
  }

  #onRequestEnd(size: number): void {
    const pending = this.#receiving
    if (pending === undefined) return
    this.#receiving = undefined
    pending.sent = size
    pending.isWhole = true
    if (pending.isAnswered) this.#yield(pending)
  }

  #onAnswerHead(text: string): Framing | undefined {
    const [pending] = this.#pending
    if (pending === undefined && this.#unreadClient !== undefined)
      return this.#onUnreadableAnswer(notRead(this.#unreadClient))
    const head = readResponseHead(text, pending?.request.method ?? '')
    if (typeof head === 'string') return this.#onUnreadableAnswer(head)
    if (head.status === 101) return this.#onSwitch(head)
    // A late interim answer is skipped by clients (RFC 9110, section 15.2), and hides nothing that follows.
    if (head.status < 200) return head.framing
    if (pending === undefined) return this.#onUnreadableAnswer('an answer came without a request')
    pending.begin(head)
    return head.framing
  }

  /** Only what a token request cannot be hidden in may follow: WebSocket, and that where a client asked for it. */
  #onSwitch(head: ResponseHead): undefined {
    const [pending, ...others] = this.#pending
    if (
      pending === undefined ||
      others.length > 0 ||
      !pending.isWhole ||
      pending.isKept ||
      !areAgreed(pending, head)
    )
      return this.#onUnreadableAnswer('it switches to another protocol')
    pending.begin(head)
    this.#pending = []
    this.#switched = pending
    this.#requests.stop()
    this.#answers.stop()
    return undefined
  }

  #onAnswerEnd(size: number): void {
    const [pending] = this.#pending
    if (pending === undefined) this.#unread('service', size, 'an interim answer came without a request')
    else {
      pending.received += size
      if (pending.answerBody === undefined) return
      this.#pending.shift()
      pending.isAnswered = true
      if (pending.isWhole) this.#yield(pending)
    }
  }

  #yield(pending: PendingExchange, failure?: ExchangeFailure): void {
    this.#options.onExchange(pending.end(this.#options.now(), failure))
  }

  #yieldUnanswered(why: ExchangeFailure): void {
    for (const pending of this.#pending.splice(0)) {
      const isInside = pending.answerBody !== undefined && why.kind === 'reset'
      this.#yield(pending, pending.isLate ? LATE : isInside ? INSIDE : why)
    }
  }

  /** The answers to the requests before it are still awaited. */
  #onUnreadableRequest(why: string): undefined {
    this.#requests.stop()
    this.#unreadClient = why
    this.#dropReceiving(notRead(why))
  }

  #onUnreadableAnswer(why: string): undefined {
    this.#requests.stop()
    this.#answers.stop()
    this.#unreadService ??= why
    this.#unreadClient ??= `which answer belongs to it is not known: ${why}`
    this.#dropReceiving(why)
    this.#yieldUnanswered({ kind: 'protocol', message: `the answer cannot be read: ${why}` })
  }

  /** A request that is not read to its end is in no exchange, and neither is its answer. */
  #dropReceiving(why: string): undefined {
    const dropped = this.#receiving
    this.#receiving = undefined
    if (dropped === undefined) return
    this.#unread('service', dropped.received, why)
    if (this.#pending[0] === dropped && dropped.answerBody !== undefined) {
      this.#answers.stop()
      this.#unreadService ??= why
    }
    this.#pending = this.#pending.filter((pending) => pending !== dropped)
    dropped.free()
  }

  #unread(from: UnreadPiece['from'], bytes: number, why: string | undefined): void {
    if (bytes > 0) this.#options.onUnread({ from, bytes, ...(why === undefined ? {} : { why }) })
  }
}

function notRead(why: string): string {
  return `its request is not read: ${why}`
}

/** On a WebSocket, as a client that asked for it takes it (RFC 6455, section 4.1). */
function areAgreed({ request }: PendingExchange, { headers }: ResponseHead): boolean {
  const namesWebSocket = (list: HeaderList): boolean =>
    headerValues(list, 'upgrade').some((value) => value.toLowerCase() === 'websocket')
  const [key = ''] = headerValues(request.headers, 'sec-websocket-key')
  const accept = createHash('sha1').update(`${key}${OF_WEBSOCKET}`).digest('base64')
  return (
    [request.headers, headers].every(namesWebSocket) &&
    headerValues(headers, 'sec-websocket-accept').join() === accept
  )
}
