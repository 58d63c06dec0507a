import { count } from '../../reports/formats/shared/phrase.js'
import type { ProgressStream } from '../run/progress.js'
import { CLEAR_LINE } from '../shared/print.js'

export interface ProveProgress {
  finished(): void
  /** Leaves the terminal as if nothing had been there. */
  done(): void
}

/** How far the runs are: one live line on a terminal, nothing elsewhere. */
export function createProveProgress(stream: ProgressStream, isTTY: boolean, total: number): ProveProgress {
  let finished = 0
  const draw = (): void => {
    if (isTTY) stream.write(`${CLEAR_LINE}${finished} of ${count(total, 'run')}`)
  }
  draw()
  return {
    finished() {
      finished += 1
      draw()
    },
    done() {
      if (isTTY) stream.write(CLEAR_LINE)
    },
  }
}
