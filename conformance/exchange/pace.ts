const learnedShare = 0.8
const growth = 1.1
const slowestPerSecond = 1
/** A learned pace is a guess: it is raised, a little every second, until the next 429 corrects it. */
const growthEveryMs = 1000
const bucketMs = 100

/** How often requests may start: as declared, and as learned from the deployment's own 429 answers. */
export class Pace {
  readonly #declared: number
  #learned = Number.POSITIVE_INFINITY
  #lesson = 0
  #grownAt = 0
  #next = 0
  #pausedUntil = 0
  // Answers of the last second, in tenths of it: a list of times would be as long as the deployment is fast.
  readonly #answers = new Uint32Array(1000 / bucketMs)
  #bucket = 0

  constructor(maxRequestsPerSecond?: number) {
    this.#declared = maxRequestsPerSecond ?? Number.POSITIVE_INFINITY
  }

  /** How often it has learned. */
  get lesson(): number {
    return this.#lesson
  }

  get requestsPerSecond(): number {
    return Math.min(this.#declared, this.#learned)
  }

  /** Milliseconds until a request may start. */
  delay(now: number): number {
    return Math.max(this.#next, this.#pausedUntil) - now
  }

  /** A request starts now. */
  start(now: number): void {
    this.#grow(now)
    const rate = this.requestsPerSecond
    if (rate === Number.POSITIVE_INFINITY) return
    const interval = 1000 / rate
    // A timer that fires a little late is caught up with; after a pause the spacing begins anew.
    const late = now - this.#next
    this.#next = (late < interval / 4 ? this.#next : now) + interval
  }

  answered(now: number): void {
    const bucket = this.#turnTo(now)
    this.#answers[bucket] = (this.#answers[bucket] ?? 0) + 1
  }

  /** Nobody starts before then. */
  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time)
  }

  /** A 429 to a request that started after so many lessons: what was answered lately is what the deployment bears. */
  learn(now: number, lesson: number): void {
    // The other answers to the same burst say nothing new.
    if (lesson !== this.#lesson) return
    this.#lesson++
    this.#turnTo(now)
    let answers = 0
    for (const count of this.#answers) answers += count
    const borne = Math.min(answers, this.requestsPerSecond) * learnedShare
    this.#learned = Math.max(slowestPerSecond, borne)
    this.#grownAt = now
  }

  #grow(now: number): void {
    if (this.#learned === Number.POSITIVE_INFINITY || now - this.#grownAt < growthEveryMs) return
    this.#learned *= growth
    this.#grownAt = now
  }

  #turnTo(now: number): number {
    const bucket = Math.floor(now / bucketMs)
    const width = this.#answers.length
    if (bucket - this.#bucket >= width) this.#answers.fill(0)
    else for (let past = this.#bucket + 1; past <= bucket; past++) this.#answers[past % width] = 0
    this.#bucket = bucket
    return bucket % width
  }
}
