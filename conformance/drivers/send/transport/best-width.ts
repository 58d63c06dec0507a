/** Answers that are timed with one number in flight, before another is tried. */
const SAMPLES = 16
/** Fewer are enough for a trial that answers so much less in a second: each further one costs what the trial is to save. */
const FEW_SAMPLES = 4
const CLEAR_LOSS = 1.5
/** A trial beside so many answers that are not alike, and too few that are, shows nothing. */
const MAX_OTHERS = 32
/** Where answers are quicker, there is no wait to shorten. */
const MIN_ANSWER_MS = 20
/** Half in flight is better where the service then does that much more in a second: less may be chance. */
const MARGIN = 1.15
const FIRST_PAUSE_MS = 2000

interface Measured {
  readonly width: number
  /** Answers in a millisecond. */
  readonly rate: number
}

/**
 * How many exchanges in flight a service answers best. By Little's law it answers as many in a second as are in flight,
 * divided by the seconds that an answer takes. So half as many can be better only where answers take more than twice as
 * long as the quickest. A service that answers all alike, or lets requests wait in line, keeps the number asked for.
 */
export class BestWidth {
  readonly #max: number
  #width: number
  #quickestMs = Number.POSITIVE_INFINITY
  #samples = 0
  #others = 0
  #totalMs = 0
  /** What was measured before the present width, which is on trial. */
  #before: Measured | undefined
  #pauseMs = FIRST_PAUSE_MS
  #lowerAt = 0
  #raiseAt = 0

  constructor(max: number) {
    this.#max = max
    this.#width = max
  }

  get width(): number {
    return this.#width
  }

  /** @param inFlight when this exchange began, along with it: where a slot was free, it shows nothing */
  answered(inFlight: number, durationMs: number, now: number): void {
    this.#quickestMs = Math.min(this.#quickestMs, durationMs)
    if (inFlight !== this.#width) return
    this.#samples++
    this.#totalMs += durationMs
    const meanMs = this.#totalMs / this.#samples
    const measured = { width: this.#width, rate: this.#width / meanMs }
    if (this.#samples < SAMPLES && !this.#isClearLoss(measured)) return
    this.#begin()
    if (this.#before === undefined) this.#tryAnother(measured, meanMs, now)
    else this.#choose(this.#before, measured, now)
  }

  /** An answer that is not like the timed ones. */
  other(now: number): void {
    if (this.#before === undefined || ++this.#others < MAX_OTHERS) return
    if (this.#before.width < this.#width) this.#raiseAt = now + this.#pauseMs
    else this.#lowerAt = now + this.#pauseMs
    this.#width = this.#before.width
    this.#before = undefined
    this.#begin()
  }

  #begin(): void {
    this.#samples = 0
    this.#others = 0
    this.#totalMs = 0
  }

  #isClearLoss({ rate }: Measured): boolean {
    return this.#before !== undefined && this.#samples >= FEW_SAMPLES && CLEAR_LOSS * rate < this.#before.rate
  }

  #tryAnother(measured: Measured, meanMs: number, now: number): void {
    const isSlow = meanMs >= MIN_ANSWER_MS && meanMs > 2 * MARGIN * this.#quickestMs
    if (this.#width > 1 && isSlow && now >= this.#lowerAt) this.#width = Math.floor(this.#width / 2)
    else if (this.#width < this.#max && now >= this.#raiseAt)
      this.#width = Math.min(this.#max, this.#width * 2)
    else return
    this.#before = measured
  }

  #choose(before: Measured, own: Measured, now: number): void {
    const [fewer, more] = before.width < own.width ? [before, own] : [own, before]
    const best = fewer.rate > MARGIN * more.rate ? fewer : more
    this.#width = best.width
    this.#before = undefined
    // The other way is tried again later, and each time it was no better, later still.
    if (best === fewer) this.#raiseAt = now + this.#pauseMs
    else this.#lowerAt = now + this.#pauseMs
    if (best === before) this.#pauseMs *= 2
  }
}
