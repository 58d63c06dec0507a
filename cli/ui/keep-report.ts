import { readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { slimReport } from '../../pages/history/history.js'
import { renderHtml } from '../../reports/formats/html/html.js'
import { renderJsonPieces } from '../../reports/formats/json.js'
import type { Report } from '../../spec/model/report.js'
import { assertWritable, clearOutputs, writeAtomic } from '../shared/files.js'
import { REPORT_FOLDER, reportFiles } from '../shared/report-files.js'

const MAX_KEPT = 200

/** Empties what an earlier whole run left, as `run` does: where this one ends early it must not be read as its own. */
export function clearReport(folder: string): void {
  const { reportFile, pageFile } = reportFiles(join(folder, REPORT_FOLDER), false)
  // What cannot be kept is refused before the first request.
  assertWritable([join(historyOf(folder), '.probe')])
  clearOutputs([reportFile, pageFile])
}

function historyOf(folder: string): string {
  return join(folder, REPORT_FOLDER, 'history')
}

/** Writes the report of a run that was stopped, in place of no whole one. @returns its name from the folder */
export function keepPartialReport(folder: string, report: Report): string {
  return relative(folder, writeReport(folder, report, true))
}

function writeReport(folder: string, report: Report, isPartial: boolean): string {
  const { reportFile, pageFile } = reportFiles(join(folder, REPORT_FOLDER), isPartial)
  assertWritable([reportFile, pageFile])
  writeAtomic(reportFile, renderJsonPieces(report))
  writeAtomic(pageFile, renderHtml(report))
  return reportFile
}

/** Writes the report of a run of everything as `run` does, and, of one that was not stopped, a small copy for the history. */
export function keepReport(folder: string, report: Report, isStopped = false): void {
  if (isStopped) return void keepPartialReport(folder, report)
  writeReport(folder, report, false)
  const history = historyOf(folder)
  // It may be gone by now.
  assertWritable([join(history, '.probe')])
  const name = report.startedAt.replace(/[^0-9TZ]/g, '-')
  writeAtomic(join(history, `${name}.json`), renderJsonPieces(slimReport(report)))
  const kept = readdirSync(history)
    .filter((file) => /^\d{4}-[\dTZ-]+\.json$/.test(file))
    .sort()
  for (const old of kept.slice(0, -MAX_KEPT)) rmSync(join(history, old), { force: true })
}
