import { applyBaseline, waive } from '../conformance/baseline/apply-baseline.js'
import { dayOf } from '../conformance/baseline/baseline.js'
import { updateBaseline } from '../conformance/baseline/new-entries.js'
import { staleEntries } from '../conformance/baseline/stale-entries.js'
import { AssayError } from '../spec/assay-error.js'
import type { Report, Result } from '../spec/types.js'
import type { RunArguments } from './run-target.js'

/** What a run's baseline does to its report. */
export interface Waivers {
  readonly isKnown: (result: Result) => boolean
  /** Files that it will write. */
  readonly files: readonly string[]
  /** The report with what is waived, and a line for each entry that is stale. Writes the baseline where that is asked for. */
  readonly apply: (
    report: Report,
    strict: boolean,
  ) => { readonly report: Report; readonly stale: readonly string[] }
}

const NONE: Waivers = { isKnown: () => false, files: [], apply: (report) => ({ report, stale: [] }) }

/**
 * Reads the baseline that a run is called with.
 * @throws AssayError where it cannot be read, or is to be updated and not named
 */
export async function readWaivers(args: RunArguments, now: Date): Promise<Waivers> {
  const file = args.one('baseline')
  const update = args.on('update-baseline')
  if (file === undefined) {
    if (update) throw new AssayError('usage', '--update-baseline needs --baseline FILE, the file to write')
    return NONE
  }
  // Parsing YAML is slow to load, and few runs need it.
  const { describeStale, readBaseline, writeBaseline } = await import('./baseline-file.js')
  const read = readBaseline(file, update)
  const live = read.baseline.waived.filter(({ until }) => until >= dayOf(now))
  return {
    isKnown: (result) => waive(result, live).waived !== undefined,
    files: update ? [file] : [],
    apply: (found, strict) => {
      if (update) writeBaseline(file, read, updateBaseline(found, read.baseline, now))
      const current = update ? readBaseline(file, false) : read
      const report = applyBaseline(found, current.baseline, now, strict)
      return { report, stale: describeStale(staleEntries(report, current.baseline, now), current) }
    },
  }
}
