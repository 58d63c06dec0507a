/** What was valid so lately is valid now. */
const MAX_AGE_MS = 2000

/** What a control showed, and why a refusal beside it shows nothing. */
interface SentControl {
  readonly problem: string | undefined
}

/**
 * One valid request for all the cases around which it is to be sent in the same moment. Only a good one is shared: where
 * it is refused, each case has its own, so that what fails now and then takes the judgement from one case alone.
 */
export class SharedControls<Result extends SentControl> {
  readonly #latest = new Map<string, { readonly startedAt: number; readonly result: Promise<Result> }>()
  /** That will begin when the latest is over. */
  readonly #next = new Map<string, Promise<Result>>()

  /** A control that was sent a moment ago, or one that is sent now. */
  before(key: string, send: () => Promise<Result>): Promise<Result> {
    const latest = this.#latest.get(key)
    const isFresh = latest !== undefined && performance.now() - latest.startedAt < MAX_AGE_MS
    return isFresh ? this.#ifGood(latest.result, key, send) : this.#send(key, send)
  }

  /** A control that begins later than this call: all that wait for the one under way share it. */
  after(key: string, send: () => Promise<Result>): Promise<Result> {
    const waiting = this.#next.get(key)
    if (waiting !== undefined) return this.#ifGood(waiting, key, send)
    const next = this.#afterLatest(key, send)
    this.#next.set(key, next)
    return next
  }

  /** A request that was sent for another reason is the control as well. */
  good(key: string, result: Result): void {
    this.#latest.set(key, { startedAt: performance.now(), result: Promise.resolve(result) })
  }

  async #afterLatest(key: string, send: () => Promise<Result>): Promise<Result> {
    await this.#latest.get(key)?.result
    this.#next.delete(key)
    return this.#send(key, send)
  }

  #send(key: string, send: () => Promise<Result>): Promise<Result> {
    const result = send()
    this.#latest.set(key, { startedAt: performance.now(), result })
    return result
  }

  async #ifGood(shared: Promise<Result>, key: string, send: () => Promise<Result>): Promise<Result> {
    const result = await shared
    return result.problem === undefined ? result : this.#send(key, send)
  }
}
