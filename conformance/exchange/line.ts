import type { Exchange, ExchangeFailure, WireRequest } from '../exchange.js'
import { type Clock, systemClock } from './clock.js'
import type { ConnectionOptions } from './connection.js'
import type { ExecutorOptions } from './executor.js'
import { failure } from './failures.js'
import { Gate } from './gate.js'
import { Pace } from './pace.js'
import { asksToRetry, backOffMs } from './retry-after.js'
import { Sender, type Sending, unsent } from './sending.js'
import { Silence } from './silence.js'

const stopped = failure('stopped', 'The run was stopped.')
const silent = failure('silent', 'It was not sent: the deployment had stopped answering.')

/** Sends each request once, in its turn, and learns from what comes when the next may go, and whether any. */
export class Line {
  readonly #clock: Clock
  readonly #probeRequest: WireRequest | undefined
  readonly #pace: Pace
  readonly #gate: Gate
  readonly #sender: Sender
  readonly #silence = new Silence()
  #stopped = false
  #backOffs = 0

  constructor(options: ExecutorOptions, connection: ConnectionOptions) {
    const { clock = systemClock, headers, limit, maxRequestsPerSecond, probe } = options
    this.#clock = clock
    this.#probeRequest = probe
    this.#pace = new Pace(maxRequestsPerSecond)
    this.#gate = new Gate(limit, this.#pace, clock)
    this.#sender = new Sender(connection, limit.width, headers)
  }

  get silent(): boolean {
    return this.#silence.silent
  }

  /** `attempt`: the how many-th sending it is, from 1, for how long to back off. */
  async send(request: WireRequest, fresh: boolean, attempt: number): Promise<Sending> {
    const turn = this.#gate.enter()
    const entered = turn === true || (await turn)
    // Whoever waited, or was turned away, may find that nothing is sent any more.
    const bar = this.#bar()
    if (bar !== undefined) {
      if (entered) this.#gate.leave()
      return { exchange: unsent(request, bar), reused: false }
    }
    const { lesson } = this.#pace
    const sending = await this.#sender.send(request, fresh)
    this.#learn(sending.exchange, lesson, attempt)
    // The probe uses the slot of the exchange that gave rise to it.
    if (this.#silence.probeDue(sending.exchange.failure)) await this.#probe(request)
    this.#gate.leave()
    return sending
  }

  /** What is on its way and what waits fails as stopped. */
  stop(): void {
    this.#stopped = true
    this.#gate.turnAway()
    this.#sender.stop(stopped.message)
  }

  /** Resolves when no connection is left. */
  ended(): Promise<void> {
    return this.#sender.ended()
  }

  #bar(): ExchangeFailure | undefined {
    if (this.#stopped) return stopped
    return this.silent ? silent : undefined
  }

  #learn({ response }: Exchange, lesson: number, attempt: number): void {
    if (response === undefined) return
    const now = this.#clock.now()
    if (asksToRetry(response)) {
      if (response.status === 429) this.#pace.learn(now, lesson)
      this.#pace.pauseUntil(now + backOffMs(response, attempt, this.#backOffs++, now))
    } else this.#pace.answered(now)
  }

  async #probe(request: WireRequest): Promise<void> {
    this.#gate.hold()
    const { exchange } = await this.#sender.send(this.#probeRequest ?? request, true)
    this.#silence.probed(exchange.failure)
    if (this.silent) this.#gate.turnAway()
    this.#gate.open()
  }
}
