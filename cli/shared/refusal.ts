import { existsSync, statSync } from 'node:fs'
import { isFolderReporter } from '../../reports/formats/reporters.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { clearOutputs, standardStream } from './files.js'
import { type Output, type RenderArguments, writeOutputs } from './outputs.js'
import type { ReportOutput } from './report-output.js'

/**
 * Does what is left of a command whose outputs are known. Where that is refused, no report of an earlier call stays under
 * their names, to pass for this one's: each is replaced by one that says why. What was not there is not made.
 */
export function reportingRefusal<T>(
  { reportFile, pageFile, outputs }: ReportOutput,
  args: RenderArguments,
  rest: () => Promise<T>,
): Promise<T> {
  const all: readonly Output[] = [
    { reporter: 'json', file: reportFile },
    { reporter: 'html', file: pageFile },
    ...outputs,
  ]
  return onRefusal(rest, async (why) => {
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

async function onRefusal<T>(rest: () => Promise<T>, replace: (why: string) => Promise<unknown>): Promise<T> {
  try {
    return await rest()
  } catch (error) {
    if (error instanceof AssayError) await replace(error.message)
    throw error
  }
}

function isLeftover({ reporter, file }: Output): boolean {
  if (file === undefined || standardStream(file) !== undefined || !existsSync(file)) return false
  const entry = statSync(file)
  return isFolderReporter(reporter) ? entry.isDirectory() : entry.isFile()
}
