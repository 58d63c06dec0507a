import pc from 'picocolors'
import { ellipsis } from '../reports/display-width.js'
import { escapeForTerminal } from '../reports/escape.js'
import { count, duration } from '../reports/phrase.js'
import type { Result } from '../spec/types.js'

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

export interface Progress {
  /** So many results will follow. May be called again when more are planned. */
  planned(total: number): void
  finished(result: Result): void
  /** A line that stays. */
  note(text: string): void
  /** Leaves the terminal as if nothing had been there. May be called twice. */
  done(): void
}

const REDRAW_EVERY_MS = 100
/** Before this an estimate is a guess. */
const ESTIMATE_AFTER_MS = 1500
const MOST_FAILURE_LINES = 20
const CLEAR_LINE = '\r\u001b[2K'

/** How far a run is: one live line on a terminal, a few plain lines elsewhere. Uses no timers. */
export function createProgress(stream: ProgressStream, options: ProgressOptions): Progress {
  return options.isTTY ? liveLine(stream, options) : plainLines(stream)
}

function liveLine(stream: ProgressStream, { color, now }: ProgressOptions): Progress {
  const colors = pc.createColors(color)
  const startedAt = now()
  let total = 0
  let finished = 0
  let failed = 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawn = false

  const draw = () => {
    const at = now()
    if (at - drawnAt < REDRAW_EVERY_MS) return
    drawnAt = at
    drawn = true
    const elapsed = at - startedAt
    const left = (elapsed / Math.max(1, finished)) * (total - finished)
    // Tenths of a second are no estimate.
    const time = left < 10_000 || left > 60_000 ? duration(left) : `${Math.round(left / 1000)} s`
    const estimate = elapsed > ESTIMATE_AFTER_MS && finished > 0 && left > 500 ? `about ${time} left` : ''
    const failures = failed > 0 ? count(failed, 'failure') : 'no failures'
    // One column less than there is: some terminals wrap when the last one is written.
    const room = (stream.columns || 80) - 1
    const parts = [`${finished} of ${count(total, 'case')}`, failures, estimate].filter((part) => part !== '')
    const text = ellipsis(parts.join(', '), room)
    stream.write(CLEAR_LINE + (failed > 0 ? text.replace(failures, colors.red(failures)) : text))
  }
  return {
    planned(n) {
      total = n
      draw()
    },
    finished({ outcome, waived }) {
      finished += 1
      if (outcome === 'failed' && !waived) failed += 1
      draw()
    },
    note(text) {
      stream.write(`${drawn ? CLEAR_LINE : ''}${text}\n`)
      if (drawn) drawnAt = Number.NEGATIVE_INFINITY
      drawn = false
    },
    done() {
      if (drawn) stream.write(CLEAR_LINE)
      drawn = false
      // Whatever still arrives is not drawn.
      drawnAt = Number.POSITIVE_INFINITY
    },
  }
}

function plainLines(stream: ProgressStream): Progress {
  let total = 0
  let finished = 0
  let failed = 0
  let quarter = 0
  return {
    planned(n) {
      total = n
      stream.write(`${count(n, 'case')} planned\n`)
    },
    finished(result) {
      finished += 1
      if (result.outcome === 'failed' && !result.waived) {
        failed += 1
        if (failed <= MOST_FAILURE_LINES) stream.write(`${escapeForTerminal(failureLine(result))}\n`)
        if (failed === MOST_FAILURE_LINES) stream.write('further failures are in the report\n')
      }
      const reached = Math.floor((finished / Math.max(1, total)) * 4)
      if (reached > quarter && finished < total) {
        stream.write(`${finished} of ${count(total, 'case')} done, ${failed} failed\n`)
      }
      quarter = Math.max(quarter, reached)
    },
    note(text) {
      stream.write(`${text}\n`)
    },
    done() {},
  }
}

function failureLine({ id, judgements }: Result): string {
  const judgement = judgements.find(({ outcome }) => outcome === 'failed')
  const what = judgement ? `, ${judgement.rule}${judgement.message ? `: ${judgement.message}` : ''}` : ''
  return ellipsis(`failed: ${id}${what}`, 300)
}
