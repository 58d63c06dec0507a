import type { ClientScenario } from '../../../spec/model/client-suite.js'
import type { Exchange } from '../../exchange/exchange.js'
import { ClientCut, isRefused, tokenRequestsIn } from '../../judge/client/observed-sign-in.js'

/** A client that waits as long for an answer waits longer than a person, and than the ten seconds that are usual. */
const PATIENCE_MS = 12_000
/** A client that has not asked again by then, after a refusal, waits for as long as `Retry-After` says, or for ever. */
const QUIET_MS = 6000
/** More token requests than these show nothing new of a client: one that goes on may have several sign-ins. */
const MAX_TOKEN_REQUESTS = 5
const MAX_TOKEN_REQUESTS_OF_SESSION = 12
/** The same of all requests. */
const MAX_REQUESTS = 60

/** Keeps the exchanges of one scenario, and says when the client has shown all that it can. */
export class Watch {
  readonly exchanges: Exchange[] = []
  readonly #cut = new AbortController()
  readonly #patienceMs: number | undefined
  readonly #maxTokenRequests: number
  readonly #scenario: ClientScenario
  // Not `AbortSignal.any`: what it makes may be collected before it is aborted.
  readonly #run: AbortSignal
  readonly #onAbort = (): void => this.#cut.abort(this.#run.reason)
  #timer: NodeJS.Timeout | undefined

  /** @param run its end is that of the client too */
  constructor(scenario: ClientScenario, run: AbortSignal, patienceMs = PATIENCE_MS) {
    const { fetches, needsPatience } = scenario
    this.#scenario = scenario
    this.#run = run
    run.addEventListener('abort', this.#onAbort)
    if (run.aborted) this.#onAbort()
    this.#patienceMs = needsPatience ? patienceMs : undefined
    this.#maxTokenRequests = fetches === undefined ? MAX_TOKEN_REQUESTS : MAX_TOKEN_REQUESTS_OF_SESSION
  }

  /** Aborted with a `ClientCut`, or with the run. */
  get signal(): AbortSignal {
    return this.#cut.signal
  }

  add(exchange: Exchange): void {
    if (this.signal.aborted) return
    this.exchanges.push(exchange)
    this.#startWaiting()
    const requests = tokenRequestsIn(this.exchanges, this.#scenario)
    if (this.#scenario.mayWait && requests.some(isRefused)) this.#startQuiet()
    if (requests.length > this.#maxTokenRequests || this.exchanges.length > MAX_REQUESTS)
      this.#cut.abort(new ClientCut('requests', `it was ended after ${this.exchanges.length} requests`))
  }

  #startWaiting(): void {
    if (this.#patienceMs === undefined || this.#timer !== undefined) return
    const waited = `it was ended after it had waited ${this.#patienceMs / 1000} seconds for an answer`
    this.#timer = setTimeout(() => this.#cut.abort(new ClientCut('patience', waited)), this.#patienceMs)
  }

  #startQuiet(): void {
    clearTimeout(this.#timer)
    const waited = `it was ended after it had sent nothing for ${QUIET_MS / 1000} seconds`
    this.#timer = setTimeout(() => this.#cut.abort(new ClientCut('quiet', waited)), QUIET_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#run.removeEventListener('abort', this.#onAbort)
  }
}
