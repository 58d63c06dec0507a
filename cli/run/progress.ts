import pc from 'picocolors'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { count, duration } from '../../reports/formats/shared/phrase.js'
import { roughly } from '../../reports/formats/shared/run-time.js'
import { ellipsis } from '../../reports/formats/shared/wrap.js'
import type { Result } from '../../spec/model/report.js'
import { useColor } from '../shared/outputs.js'
import { CLEAR_LINE, isTerminal, show, widthOf } from '../shared/print.js'
import { RunCounts } from './run-counts.js'

/** The part of a terminal or file that progress is written to. */
export interface ProgressStream {
  write(text: string): unknown
  readonly columns?: number | undefined
}

export interface ProgressOptions {
  readonly isTTY: boolean
  readonly color: boolean
  /** Milliseconds of any clock that does not go back. */
  readonly now: () => number
}

export interface RunProgress {
  /**
   * The number of results to expect. May be called again when more are planned.
   * @param requests so many may be sent: by these, the time left is known sooner than by cases
   * @param quickRequests so many with `--effort quick`, where that can be advised
   */
  planned(total: number, requests?: number, quickRequests?: number): void
  finished(result: Result): void
  /** It has failed, and will be finished later. */
  failing(result: Result): void
  sent(): void
  loggedIn(durationMs: number): void
  /** Requests are kept back, because an answer of that status asked for it. */
  waiting(wait: ShownWait): void
  /** Prints a line that is not overwritten. */
  note(text: string): void
  /** Removes the live line from the terminal. May be called twice. */
  done(): void
}

export interface ShownWait {
  readonly deployment: string
  readonly waitMs: number
  readonly status: number
  /** Where it is failed logins that are limited: how many there were. */
  readonly failedLogins?: number | undefined
}

const REDRAW_EVERY_MS = 100
/** Earlier, an estimate would be a guess. */
const ESTIMATE_AFTER_MS = 1500
const SAY_EVERY_MS = 10_000
const MAX_FAILURE_LINES = 20
/** A shorter wait needs no line of its own. */
const SHOWN_WAIT_MS = 2000
const MAX_WAIT_LINES = 5

/** How far a run is: one live line on a terminal, a few plain lines elsewhere. Uses no timers. */
export function createProgress(stream: ProgressStream, options: ProgressOptions): RunProgress {
  return options.isTTY ? liveLine(stream, options) : plainLines(stream, options)
}

export function progressOf(args: Parameters<typeof useColor>[0]): RunProgress {
  const isTTY = isTerminal('stderr')
  const color = isTTY && useColor(args)
  const stream = { write: (text: string) => show(text, 'stderr', color), columns: widthOf('stderr') }
  return createProgress(stream, { isTTY, color, now: () => performance.now() })
}

function liveLine(stream: ProgressStream, { color, now }: ProgressOptions): RunProgress {
  const colors = pc.createColors(color)
  const startedAt = now()
  const counts = new RunCounts(startedAt)
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawn = false
  let waitingUntil = Number.NEGATIVE_INFINITY
  let waitText = ''
  let isSaid = false

  const draw = () => {
    const at = now()
    if (at - drawnAt < REDRAW_EVERY_MS) return
    drawnAt = at
    drawn = true
    const { results, finished, failed, requests } = counts
    const failures = failed > 0 ? count(failed, 'failure') : 'no failures'
    const wait = at < waitingUntil ? waitText : ''
    const done = `${finished} of ${count(results, 'case')}`
    // Many cases are done before anything is sent, so they say less than requests.
    const leftMs = counts.planned > 0 ? counts.leftMs(at) : estimate(at - startedAt, finished, results)
    const rest = wait || (leftMs === undefined ? '' : `about ${roughly(leftMs)} left`)
    const parts = [count(requests, 'request'), done, failures, rest].filter((part) => part !== '')
    // One column less than the terminal has: some terminals wrap when the last column is written.
    const text = ellipsis(parts.join(', '), (stream.columns || 80) - 1)
    stream.write(CLEAR_LINE + (failed > 0 ? text.replace(failures, colors.red(failures)) : text))
  }
  const note = (text: string): void => {
    stream.write(`${drawn ? CLEAR_LINE : ''}${text}\n`)
    if (drawn) drawnAt = Number.NEGATIVE_INFINITY
    drawn = false
  }
  return {
    planned(results, planned = 0, quickPlanned = 0) {
      Object.assign(counts, { results, planned, quickPlanned })
      draw()
    },
    finished(result) {
      counts.finished += 1
      counts.fails(result)
      draw()
    },
    failing(result) {
      counts.fails(result)
      draw()
    },
    sent() {
      const at = now()
      counts.sent(at)
      const sentence = isSaid ? undefined : counts.sentence(at)
      if (sentence !== undefined) note(sentence)
      isSaid ||= sentence !== undefined
      draw()
    },
    loggedIn: (durationMs) => counts.loggedIn(durationMs),
    waiting(wait) {
      waitingUntil = now() + wait.waitMs
      waitText = showWait(wait)
      drawnAt = Number.NEGATIVE_INFINITY
      draw()
    },
    note,
    done() {
      if (drawn) stream.write(CLEAR_LINE)
      drawn = false
      // Later results are not drawn.
      drawnAt = Number.POSITIVE_INFINITY
    },
  }
}

/** How many milliseconds the run will still take; undefined where that would be a guess, or is over at once. */
function estimate(elapsedMs: number, finished: number, total: number): number | undefined {
  const leftMs = (elapsedMs / Math.max(1, finished)) * (total - finished)
  return elapsedMs <= ESTIMATE_AFTER_MS || finished === 0 || leftMs <= 500 ? undefined : leftMs
}

function plainLines(stream: ProgressStream, { now }: Pick<ProgressOptions, 'now'>): RunProgress {
  const counts = new RunCounts(now())
  let saidAt: number | undefined
  let quarter = 0
  let waits = 0
  const show = (result: Result): void => {
    if (!counts.fails(result)) return
    if (counts.failed <= MAX_FAILURE_LINES) stream.write(`${escapeForTerminal(failureLine(result))}\n`)
    if (counts.failed === MAX_FAILURE_LINES) stream.write('the report lists further failures\n')
  }
  return {
    planned(results, planned = 0, quickPlanned = 0) {
      Object.assign(counts, { results, planned, quickPlanned })
      stream.write(`${count(results, 'case')} planned\n`)
    },
    finished(result) {
      const finished = ++counts.finished
      show(result)
      const total = counts.results
      const reached = Math.floor((finished / Math.max(1, total)) * 4)
      // Before the first request only what does not apply is done, and after a stop nothing.
      const isDone = counts.requests > 0 && result.outcome !== 'untested'
      if (reached > quarter && finished < total && isDone) {
        const done = `${finished} of ${count(total, 'case')} done`
        stream.write(`${done}, ${count(counts.requests, 'request')} sent, ${counts.failed} failed\n`)
      }
      quarter = Math.max(quarter, reached)
    },
    failing: show,
    sent() {
      const at = now()
      counts.sent(at)
      if (saidAt !== undefined && at - saidAt < SAY_EVERY_MS) return
      const sentence = saidAt === undefined ? counts.sentence(at) : sentSoFar(counts, at)
      if (sentence === undefined) return
      stream.write(`${sentence}\n`)
      saidAt = at
    },
    loggedIn: (durationMs) => counts.loggedIn(durationMs),
    waiting(wait) {
      if (wait.waitMs < SHOWN_WAIT_MS || waits >= MAX_WAIT_LINES) return
      waits += 1
      stream.write(`${wait.deployment}: ${showWait(wait)}\n`)
      if (waits === 1) stream.write(`  to stay below its limit: ${waitRemedy(wait)}\n`)
      if (waits === MAX_WAIT_LINES) stream.write('  the report counts further waits\n')
    },
    note(text) {
      stream.write(`${text}\n`)
    },
    done() {},
  }
}

function sentSoFar(counts: RunCounts, at: number): string {
  const leftMs = counts.leftMs(at)
  const left = leftMs === undefined ? '' : `, about ${roughly(leftMs)} left`
  return `${count(counts.requests, 'request')} sent${left}`
}

function showWait({ waitMs, status }: ShownWait): string {
  return `waiting ${duration(waitMs)}: an answer with status ${status} asked for it`
}

function waitRemedy({ failedLogins = 0 }: ShownWait): string {
  return failedLogins === 0
    ? '`maxRequestsPerSecond` in the target file'
    : `\`maxFailedLogins: ${failedLogins - 1}\` in the target file (it first asked after ${count(failedLogins, 'failed login')})`
}

function failureLine({ id, judgements }: Result): string {
  const judgement = judgements.find(({ outcome }) => outcome === 'failed')
  const what = judgement ? `, ${judgement.rule}${judgement.message ? `: ${judgement.message}` : ''}` : ''
  return ellipsis(`failed: ${id}${what}`, 300)
}
