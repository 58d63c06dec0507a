import { existsSync } from 'node:fs'
import type { RunOptions } from '../../conformance/drivers/send/session/run-context.js'
import { gateOf } from '../../reports/formats/shared/gate.js'
import { readReport } from '../../reports/model/read-report.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Report, Result } from '../../spec/model/report.js'
import { reportFiles } from '../shared/report-files.js'

/** The report of the last run, and that of a narrowed run after it. There is no other state, and a report holds no secret. */
export interface LastRun {
  readonly file: string
  readonly report: Report
  readonly later: Report | undefined
}

/** What a run draws its inputs by: the values of its flags. */
export type Inputs = Pick<RunOptions, 'seed' | 'effort' | 'runs'>

/** A result that failed, with the inputs of its run. */
export interface LastFailure {
  readonly result: Result
  /** It failed for one of them. */
  readonly isDrawn: boolean
  readonly inputs: Inputs
}

/** A text says why there is none. */
export function readLastRun(folder: string): LastRun | string {
  const whole = reportFiles(folder, false).reportFile
  const narrowed = reportFiles(folder, true).reportFile
  const file = existsSync(whole) || !existsSync(narrowed) ? whole : narrowed
  if (!existsSync(file)) return `there is no report of a last run (${file})`
  try {
    const report = readReport(file)
    const later = file !== narrowed && existsSync(narrowed) ? readReport(narrowed) : undefined
    const isLater =
      later !== undefined && later.startedAt > report.startedAt && later.target.name === report.target.name
    return { file, report, later: isLater ? later : undefined }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return `the report of the last run cannot be read (${error.message})`
  }
}

/** What keeps a run from being green, and what it did not come to. */
export function failingResults(report: Report): readonly Result[] {
  const { effectOf } = gateOf(report)
  return report.results.filter(
    (result) => wasStopped(result) || ['broken', 'inconclusive'].includes(effectOf(result)),
  )
}

/** The failures of the whole run that no later, narrowed run has seen pass, and those of the later one. */
export function stillFailing({ report, later }: LastRun): readonly LastFailure[] {
  const failed = failuresOf(report)
  if (later === undefined) return [...failed.values()]
  const inputs = inputsOf(later)
  for (const now of later.results) {
    const before = failed.get(now.id)
    // With other inputs it may not have tried what failed.
    const isTried = before?.isDrawn === true ? drawsAgain(inputs, before) : inputs.effort !== 'quick'
    if (before !== undefined && isTried && isFixed(before.result, now)) failed.delete(now.id)
  }
  return [...new Map([...failed, ...failuresOf(later)]).values()]
}

function failuresOf(report: Report): Map<string, LastFailure> {
  const inputs = inputsOf(report)
  const isDrawn = ({ judgements }: Result): boolean =>
    judgements.some(({ counterexample }) => counterexample !== undefined)
  return new Map(
    failingResults(report).map((result) => [result.id, { result, isDrawn: isDrawn(result), inputs }]),
  )
}

function inputsOf({ seed, inputs, selection }: Report): Inputs {
  return { seed, ...inputs, ...(selection?.effort === undefined ? {} : { effort: selection.effort }) }
}

/** Whether a run with these inputs tries the one that failed: of `quick` the others try all. */
export function drawsAgain(now: Inputs, { inputs: before }: Pick<LastFailure, 'inputs'>): boolean {
  const { seed, effort = 'normal', runs } = before
  return now.seed === seed && (effort === 'quick' || (now.effort ?? 'normal') === effort) && now.runs === runs
}

/** `--bail`, a limit or a signal came first; what is filtered was not asked for. */
function wasStopped({ outcome, reason }: Result): boolean {
  return outcome === 'untested' && reason !== 'filtered' && reason !== 'shard'
}

/** A run of one rule alone says nothing about the other rules of its cases. */
function isFixed(before: Result, now: Result): boolean {
  const passed = new Set(now.judgements.filter(({ outcome }) => outcome === 'passed').map(({ rule }) => rule))
  const open = before.judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  return now.outcome === 'passed' && open.every(({ rule }) => passed.has(rule))
}
