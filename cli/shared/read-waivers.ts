import { existsSync } from 'node:fs'
import { newBaseline, parseBaseline } from '../../reports/model/known-failures/baseline-file.js'
import { applyWaivers, isWaived } from '../../reports/model/known-failures/waivers.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import type { Report, Result } from '../../spec/model/report.js'
import { writeAtomic } from './files.js'
import { print } from './print.js'

const EXPECTED = 'a baseline (--update-baseline writes one)'

/** What a run's baseline does to its report. */
export interface Waivers {
  readonly isKnown: (result: Result) => boolean
  readonly files: readonly string[]
  /**
   * The report with its waived results, and a line for each stale entry of the baseline. `save` writes the baseline, with
   * `--update-baseline`.
   */
  readonly apply: (
    report: Report,
    strict: boolean,
  ) => { readonly report: Report; readonly stale: readonly string[]; readonly save: () => void }
}

/** Reads a baseline. @param update whether the failures of the run are added to it @throws AssayError */
export function readWaivers(file: string, update: boolean, now: Date): Waivers {
  const text =
    update && !existsSync(file)
      ? newBaseline(file)
      : readTextFile(file, EXPECTED, { kib: 1024, code: 'bad-baseline' })
  const before = parseBaseline(file, text)
  return {
    isKnown: isWaived(before, now),
    files: update ? [file] : [],
    apply: (found, strict) => {
      const { updated, todo, ...waived } = applyWaivers(found, before, { now, strict, update })
      const save = (): void => {
        if (updated !== undefined) writeAtomic(file, updated)
        if (todo !== undefined) print(`${file}: ${todo}`)
      }
      return { ...waived, save }
    },
  }
}
