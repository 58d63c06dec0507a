import { duration } from './phrase.js'

/** The first requests of a run follow one another, so that they say little of its rate. */
const FIRST_SENT = 40
/** An earlier estimate would only flicker. */
const ESTIMATE_AFTER_MS = 1500
/** A run is faster in some parts than in others: only what was sent lately counts. */
const WINDOW_MS = 5000
const MARK_EVERY_MS = 500
/** What is announced is a bound. Of it a run sends so much, as long as no rule is broken: much is shared. */
const USUALLY_SENT = 0.8
/** A shorter run needs no announcement. */
const LONG_MS = 10_000

/** How fast requests have been sent of late, and how long the others will take. Times in milliseconds, of one clock. */
export class RunTime {
  /** At most; 0: not known. */
  planned = 0
  /** The same of a quick run, where one is advised. */
  quickPlanned = 0
  requests = 0
  readonly #startedAt: number
  readonly #marks: { readonly at: number; readonly requests: number }[] = []
  #logins = 0
  #loginsMs = 0

  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  sent(at: number): void {
    this.requests += 1
    const last = this.#marks.at(-1)
    if (this.requests < FIRST_SENT || (last !== undefined && at - last.at < MARK_EVERY_MS)) return
    this.#marks.push({ at, requests: this.requests })
    const [, second] = this.#marks
    if (second !== undefined && at - second.at >= WINDOW_MS) this.#marks.shift()
  }

  loggedIn(durationMs: number): void {
    this.#logins += 1
    this.#loginsMs += durationMs
  }

  /** Undefined where it is too early to say, and where more was sent than planned, as where rules are broken. */
  leftMs(at: number): number | undefined {
    const each = this.#perSecond(at)
    const left = this.planned - this.requests
    if (left <= 0 || each === undefined) return undefined
    // Where it is the bound after all that is sent, the rest shrinks with what is left of that.
    const unshared = Math.max(USUALLY_SENT * this.planned - this.requests, (1 - USUALLY_SENT) * left)
    return (unshared / each) * 1000
  }

  /** What the first answers say of a long run. */
  sentence(at: number): string | undefined {
    const each = this.#perSecond(at)
    const leftMs = this.leftMs(at)
    if (each === undefined || leftMs === undefined) return undefined
    const wholeMs = at - this.#startedAt + leftMs
    if (wholeMs < LONG_MS) return undefined
    const quickMs = ((USUALLY_SENT * this.quickPlanned) / each) * 1000
    const quicker = quickMs > 0 && quickMs < wholeMs ? `; \`--effort quick\` takes ${roughly(quickMs)}` : ''
    const known =
      this.#logins === 0
        ? `${each.toFixed(each < 10 ? 1 : 0)} requests a second`
        : `a login takes ${duration(this.#loginsMs / this.#logins)}`
    return `${known}: about ${roughly(wholeMs)}${quicker}`
  }

  #perSecond(at: number): number | undefined {
    const [first] = this.#marks
    if (first === undefined || at - first.at < ESTIMATE_AFTER_MS) return undefined
    const each = ((this.requests - first.requests) / (at - first.at)) * 1000
    return each === 0 ? undefined : each
  }
}

/** An estimate does not need tenths of a second, or single seconds of a long time. */
export function roughly(ms: number): string {
  const seconds = ms < LONG_MS ? Math.ceil(ms / 1000) : Math.ceil(ms / 5000) * 5
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
