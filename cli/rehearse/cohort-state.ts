import { rmSync, statSync } from 'node:fs'
import type { CohortTally } from '../../conformance/assess/rehearsal/cohort/cohort-tally.js'
import type { CohortSettings } from '../../conformance/target/deployment.js'
import { jsonText } from '../../reports/formats/json.js'
import { cohortState as isCohortState } from '../../spec/generated/validators/cohort-state.js'
import { readPositionedJson } from '../../spec/load/positioned-json.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { writeAtomic } from '../shared/files.js'

/** Accounts between two writes. */
const EVERY = 500
const LIMIT = { kib: 1024, code: 'malformed-file' } as const

/** How far a cohort was tried, in a file. */
export interface KeptCohort {
  /** What to go on from. */
  readonly before?: CohortTally
  readonly onProgress: (tally: CohortTally) => void
  /** Keeps what there is where the cohort was stopped, and removes the file where all of it was tried. */
  readonly end: (isStopped: boolean) => void
}

/**
 * @param file where it is kept
 * @param resumes whether to go on from what is there
 * @throws AssayError `usage` where there is nothing, or the accounts have changed
 */
export function keepCohort(
  file: string,
  { file: accounts, shownFile }: CohortSettings,
  resumes: boolean,
): KeptCohort {
  const status = statSync(accounts, { throwIfNoEntry: false })
  const is = { size: status?.size ?? 0, modifiedAt: status?.mtimeMs ?? 0 }
  const before = resumes ? readBefore(file, shownFile, is) : undefined
  let last = before
  let written = before?.tried ?? 0
  const write = (tally: CohortTally): void => {
    writeAtomic(file, jsonText({ schemaVersion: 1, ...is, tally }))
    written = tally.tried
  }
  return {
    ...(before === undefined ? {} : { before }),
    onProgress: (tally) => {
      last = tally
      if (tally.tried - written >= EVERY) write(tally)
    },
    end: (isStopped) => {
      if (!isStopped) rmSync(file, { force: true })
      else if (last !== undefined) write(last)
    },
  }
}

function readBefore(
  file: string,
  accounts: string,
  is: { readonly size: number; readonly modifiedAt: number },
): CohortTally {
  const text = readTextFile(
    file,
    'what `rehearse` keeps of a cohort that was stopped: nothing to resume',
    LIMIT,
  )
  const { value } = readPositionedJson(file, text)
  if (!isCohortState(value))
    throw new AssayError('malformed-file', `${file}: expected what \`rehearse\` keeps of a cohort`)
  if (value.size !== is.size || value.modifiedAt !== is.modifiedAt)
    throw new AssayError(
      'usage',
      `--resume: ${accounts} has changed since the cohort was stopped: start again without --resume`,
    )
  return value.tally
}
