import type { WireResponse } from '../../../exchange/exchange.js'
import { headerValues } from '../../../exchange/headers.js'

/** Time as the throttle sees it, so that a test can turn it by hand. */
export interface MonotonicClock {
  /** Milliseconds since the epoch, never going back. */
  now(): number
  /** Calls `wake` after so many milliseconds; what it returns takes that back. */
  sleep(ms: number, wake: () => void): () => void
}

export const systemClock: MonotonicClock = {
  // Not `Date.now`: a corrected system clock must not stall a throttled run.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, wake) => {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}

const toleratedShare = 0.8
const growth = 1.1
const minPerSecond = 1
/** A learned rate is a guess: it is raised, a little every second, until the next 429 corrects it. */
const growthEveryMs = 1000
const bucketMs = 100
const firstBackOffMs = 250
const maxBackOffMs = 30_000
const firstEaseMs = 100
/** So often a 503 may recur after all pauses until it is taken for an answer, and no sign of a limit. */
const maxLasting = 2
/** Seconds: what asks for a longer wait is given up, as a run that waits for an hour looks like one that hangs. */
const maxWaitS = 60
/** Seconds, over all waits for one deployment. */
const maxTotalWaitS = 600
/** The golden ratio's fraction: consecutive multiples of it spread over 0…1 without chance. */
const spread = 0.6180339887498949

/** What an answer asks for that is to be repeated later. */
export interface Pause {
  readonly waitMs: number
  /** Why the request is not repeated after that time. */
  readonly tooLong?: string
}

/** How often requests may start: as declared, and as learned from the deployment's own 429 answers. */
export class Throttle {
  readonly #declared: number
  #learned = Number.POSITIVE_INFINITY
  #lessons = 0
  #raisedAt = 0
  #next = 0
  #pausedUntil = 0
  #backOffs = 0
  #waitedMs = 0
  #lasting = 0
  #isLimited = false
  /** What was answered in the second before a 503 that may come from a limit. */
  #answeredBefore: number | undefined
  // Answers of the last second, in tenths of it: a list of times would be as long as the deployment is fast.
  readonly #answers = new Uint32Array(1000 / bucketMs)
  #bucket = 0

  constructor(maxRequestsPerSecond = Number.POSITIVE_INFINITY) {
    this.#declared = maxRequestsPerSecond
  }

  /** How often a 429 has lowered the rate. */
  get lessons(): number {
    return this.#lessons
  }

  /** Milliseconds for which answers that ask to wait have kept requests back. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Milliseconds until a request may start. */
  delayMs(now: number): number {
    return Math.max(this.#next, this.#pausedUntil) - now
  }

  /** A request starts now. */
  start(now: number): void {
    if (this.#learned !== Number.POSITIVE_INFINITY && now - this.#raisedAt >= growthEveryMs) {
      this.#learned *= growth
      this.#raisedAt = now
    }
    const rate = Math.min(this.#declared, this.#learned)
    if (rate === Number.POSITIVE_INFINITY) return
    const interval = 1000 / rate
    // A timer that fires a little late is caught up with; after a pause the spacing begins anew.
    const late = now - this.#next
    this.#next = (late < interval / 4 ? this.#next : now) + interval
  }

  /**
   * Learns from an answer: 429 slows down, and an answer that asks to wait pauses all requests.
   * @param attempt how often the request has been sent, 1 for the first time
   * @param lessons the throttle's `lessons` when the request started
   * @returns of an answer that asks to wait: for how long
   */
  learn(
    response: WireResponse,
    { attempt, lessons }: { readonly attempt: number; readonly lessons: number },
    now: number,
  ): Pause | undefined {
    const bucket = this.#turnTo(now)
    if (!asksToRetry(response)) {
      if (response.status !== 503) this.#answers[bucket] = (this.#answers[bucket] ?? 0) + 1
      return undefined
    }
    const waitMs = backOffMs(response, attempt, this.#backOffs++, now)
    // No rate would help: one of a request a second would only make the run look like one that hangs.
    if (waitMs > maxWaitS * 1000) return { waitMs, tooLong: `more than the ${maxWaitS} s that a run waits` }
    // The other 429 answers to the same burst say nothing new.
    if (response.status === 429 && lessons === this.#lessons) this.#slowDown(now)
    const moreMs = Math.max(0, now + waitMs - Math.max(now, this.#pausedUntil))
    if (this.#waitedMs + moreMs > maxTotalWaitS * 1000)
      return { waitMs, tooLong: `and the run has already waited ${Math.round(this.#waitedMs / 1000)} s` }
    this.#waitedMs += moreMs
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs)
    return { waitMs }
  }

  /**
   * The same request is sent again after a 503 that does not ask for it. Proxies that limit requests, such as nginx by
   * `limit_req`, answer so: nothing starts for a while.
   * @param attempt how often the request has been sent
   * @returns whether that is tried
   */
  ease(attempt: number, now: number): boolean {
    if (this.#lasting >= maxLasting && !this.#isLimited) return false
    this.#turnTo(now)
    // While nothing starts, nothing is answered.
    if (now >= this.#pausedUntil + 1000) this.#answeredBefore = this.#answersOfLastSecond()
    this.#pausedUntil = Math.max(this.#pausedUntil, now + firstEaseMs * 2 ** (attempt - 1))
    return true
  }

  /** What came of it. @param recurred whether the last answer was 503 too */
  learnEased(recurred: boolean, now: number): void {
    if (recurred) {
      this.#lasting++
      return
    }
    this.#isLimited = true
    if (this.#answeredBefore !== undefined) this.#slowDown(now, this.#answeredBefore)
    this.#answeredBefore = undefined
  }

  #answersOfLastSecond(): number {
    return this.#answers.reduce((sum, count) => sum + count, 0)
  }

  /** What was answered in a second is what the deployment tolerates. */
  #slowDown(now: number, answers = this.#answersOfLastSecond()): void {
    this.#lessons++
    const tolerated = Math.min(answers, this.#declared, this.#learned) * toleratedShare
    this.#learned = Math.max(minPerSecond, tolerated)
    this.#raisedAt = now
  }

  /** Empties the tenths of a second that are more than a second old. */
  #turnTo(now: number): number {
    const bucket = Math.floor(now / bucketMs)
    const width = this.#answers.length
    if (bucket - this.#bucket >= width) this.#answers.fill(0)
    else for (let past = this.#bucket + 1; past <= bucket; past++) this.#answers[past % width] = 0
    this.#bucket = bucket
    return bucket % width
  }
}

/** Whether it asks for the same request again later: 429, or 503 with `Retry-After`. */
export function asksToRetry({ status, headers }: WireResponse): boolean {
  return status === 429 || (status === 503 && headerValues(headers, 'retry-after').length > 0)
}

/** Milliseconds to wait before sending again; `salt` spreads those who wait together. */
function backOffMs(response: WireResponse, attempt: number, salt: number, nowEpochMs: number): number {
  const [date = ''] = headerValues(response.headers, 'date')
  const asked = retryAfterMs(
    headerValues(response.headers, 'retry-after')[0]?.trim(),
    dateOf(date) ?? nowEpochMs,
  )
  // `Retry-After: 0`, or a date that has just passed, is no help.
  if (asked !== undefined && asked > 0) return asked
  const exponential = firstBackOffMs * 2 ** (attempt - 1)
  return Math.min(exponential * (1 + ((salt * spread) % 1) / 2), maxBackOffMs)
}

/** RFC 9110 10.2.3: seconds, or an HTTP-date. @param from when the answer was made, by the same clock */
function retryAfterMs(value: string | undefined, from: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = dateOf(value)
  return date === undefined ? undefined : date - from
}

/** Milliseconds since the epoch. */
function dateOf(value: string): number | undefined {
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}
