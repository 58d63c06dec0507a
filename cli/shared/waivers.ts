import { existsSync } from 'node:fs'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report, Result } from '../../spec/model/report.js'
import type { Flags } from './arguments.js'
import { writeAtomic } from './files.js'

/** The flags of a baseline; several commands have them. */
export const WAIVER_FLAGS = {
  baseline: { value: 'FILE', help: 'known failures, which do not fail the run until a date' },
  'update-baseline': { help: 'write the failures of this run to the baseline' },
} as const satisfies Flags

interface WaiverArguments {
  readonly on: (name: 'update-baseline') => boolean
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
const NONE: Waivers = {
  isKnown: () => false,
  files: [],
  apply: (report) => ({ report, stale: [], save: () => undefined }),
}

/** Reads the baseline that a command was given. @throws AssayError where it cannot be read, or is not named */
export async function readWaivers(args: WaiverArguments, now: Date): Promise<Waivers> {
  const file = args.one('baseline')
  const update = args.on('update-baseline')
  if (file === undefined) {
    if (update) throw new AssayError('usage', '--update-baseline needs --baseline FILE, the file to write')
    return NONE
  }
  // The YAML parser is slow to load, and few runs need it.
  const { EMPTY_BASELINE, parseBaseline } = await import('../../conformance/baseline/baseline-file.js')
  const { applyWaivers, isWaived } = await import('../../conformance/baseline/waivers.js')
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
