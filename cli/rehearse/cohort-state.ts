import { rmSync, statSync } from 'node:fs'
import type { CohortTally } from '../../conformance/assess/rehearsal/cohort/cohort-tally.js'
import type { CohortSettings, Deployment } from '../../conformance/target/deployment.js'
import { jsonText } from '../../reports/formats/json.js'
import type { CohortState } from '../../spec/generated/types/cohort-state.js'
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

/** What a tally is about: of other accounts, or of other services, it says nothing. */
type CohortSubject = Pick<CohortState, 'size' | 'modifiedAt' | 'services'>

/**
 * @param file where it is kept
 * @param resumes whether to go on from what is there
 * @throws AssayError `usage` where there is nothing, or the accounts or the services have changed
 */
export function keepCohort(
  file: string,
  { file: accounts, shownFile }: CohortSettings,
  deployments: readonly Deployment[],
  resumes: boolean,
): KeptCohort {
  const status = statSync(accounts, { throwIfNoEntry: false })
  const services = deployments.flatMap(({ rehearsal, shownBaseUrl }) =>
    rehearsal?.role === undefined ? [] : `${rehearsal.role} ${shownBaseUrl}`,
  )
  const is = { size: status?.size ?? 0, modifiedAt: status?.mtimeMs ?? 0, services }
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
      // What an earlier rehearsal has left is not of this one.
      if (!isStopped || last === undefined) rmSync(file, { force: true })
      else write(last)
    },
  }
}

function readBefore(file: string, accounts: string, is: CohortSubject): CohortTally {
  const text = readTextFile(
    file,
    'what `rehearse` keeps of a cohort that was stopped: nothing to resume',
    LIMIT,
  )
  const { value } = readPositionedJson(file, text)
  if (!isCohortState(value))
    throw new AssayError('malformed-file', `${file}: expected what \`rehearse\` keeps of a cohort`)
  if (value.size !== is.size || value.modifiedAt !== is.modifiedAt) throw hasChanged(accounts)
  if (value.services.join('\n') !== is.services.join('\n'))
    throw hasChanged(`what the roles \`old\` and \`new\` name`)
  return value.tally
}

function hasChanged(what: string): AssayError {
  const advice = 'start again without --resume'
  return new AssayError('usage', `--resume: ${what} has changed since the cohort was stopped: ${advice}`)
}
