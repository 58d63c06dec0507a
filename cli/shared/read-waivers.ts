import { existsSync } from 'node:fs'
import { EMPTY_BASELINE, parseBaseline } from '../../reports/model/known-failures/baseline-file.js'
import { applyWaivers, isWaived } from '../../reports/model/known-failures/waivers.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { writeAtomic } from './files.js'
import type { Waivers } from './waivers.js'

const EXPECTED = 'a baseline (--update-baseline writes one)'

/** Reads a baseline. @param update whether the failures of the run are added to it @throws AssayError */
export function readWaivers(file: string, update: boolean, now: Date): Waivers {
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
