import { existsSync } from 'node:fs'
import { EMPTY_BASELINE, parseBaseline } from '../../reports/model/known-failures/baseline-file.js'
import { applyWaivers, isWaived } from '../../reports/model/known-failures/waivers.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report, Result } from '../../spec/model/report.js'
import { writeAtomic } from './files.js'

/** The flags of a baseline. */
export interface WaiverArguments {
  readonly on: (name: 'baseline' | 'update-baseline') => boolean
  readonly one: (name: 'baseline') => string | undefined
}

/** What a run's baseline does to its report. */
export interface Waivers {
  readonly isKnown: (result: Result) => boolean
  /** The files that it will write. */
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

const EXPECTED = 'a baseline (--update-baseline writes one)'

/** Reads the baseline that a command was given. @throws AssayError where it cannot be read, or is not named */
export function readWaivers(args: WaiverArguments, now: Date): Waivers {
  const file = args.one('baseline')
  const update = args.on('update-baseline')
  if (file === undefined)
    throw new AssayError('usage', '--update-baseline needs --baseline FILE, the file to write')
  const text =
    update && !existsSync(file)
      ? EMPTY_BASELINE
      : readTextFile(file, EXPECTED, { kib: 1024, code: 'bad-baseline' })
  const before = parseBaseline(file, text)
  return {
    isKnown: isWaived(before, now),
    files: update ? [file] : [],
    apply: (found, strict) => {
      const { updated, ...waived } = applyWaivers(found, before, { now, strict, update })
      const save = (): void => {
        if (updated !== undefined) writeAtomic(file, updated)
      }
      return { ...waived, save }
    },
  }
}
