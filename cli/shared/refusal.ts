import { existsSync, statSync } from 'node:fs'
import { isFolderReporter } from '../../reports/formats/reporters.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { clearOutputs, standardStream } from './files.js'
import { type Output, type RenderArguments, writeOutputs } from './outputs.js'
import type { ReportFiles } from './report-files.js'
import { BEGUN, type ReportOutput } from './report-output.js'

/**
 * Does what is left of a command whose outputs are known. Where that is refused, no report of an earlier call stays under
 * their names, to pass for this one's: each is replaced by one that says why. What was not there is not made. So it is where
 * the command crashes before it has begun.
 * @param reports where it would have written, as far as a refused command can know; not those that it reads
 */
export function reportingRefusal<T>(
  output: ReportOutput,
  args: RenderArguments,
  rest: () => Promise<T>,
  reports: readonly ReportFiles[] = [output],
): Promise<T> {
  const { reportFile, outputs } = output
  const all: readonly Output[] = [
    ...reports.flatMap((files): readonly Output[] => [
      { reporter: 'json', file: files.reportFile },
      { reporter: 'html', file: files.pageFile },
    ]),
    ...outputs,
  ]
  BEGUN.delete(reportFile)
  return onRefusal(rest, async (why) => {
    if (why === CRASHED && BEGUN.has(reportFile)) return
    const { refusedReport } = await import('../../reports/model/refused-report.js')
    await writeOutputs(all.filter(isLeftover), refusedReport(why, new Date()), args)
  })
}

/** The same for reports of another kind: they are emptied. */
export function clearingRefusal<T>(files: readonly string[], rest: () => Promise<T>): Promise<T> {
  return onRefusal(rest, async () =>
    clearOutputs(files.filter((file) => isLeftover({ reporter: 'json', file }))),
  )
}

/** Of a crash, no more: its message may quote anything. */
const CRASHED = 'token-assay ended by an error of its own, which it wrote to standard error.'

async function onRefusal<T>(rest: () => Promise<T>, replace: (why: string) => Promise<unknown>): Promise<T> {
  try {
    return await rest()
  } catch (error) {
    if (error instanceof AssayError) await replace(error.message)
    // The error is what the user has to see, whatever comes of the outputs.
    else await replace(CRASHED).catch(() => undefined)
    throw error
  }
}

function isLeftover({ reporter, file }: Output): boolean {
  if (file === undefined || standardStream(file) !== undefined || !existsSync(file)) return false
  const entry = statSync(file)
  return isFolderReporter(reporter) ? entry.isDirectory() : entry.isFile()
}
