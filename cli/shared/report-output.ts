import { renderJsonPieces } from '../../reports/formats/json.js'
import { folderReporters, isFolderReporter } from '../../reports/formats/reporters.js'
import type { Report } from '../../spec/model/report.js'
import { verdictOf } from '../../spec/model/verdict.js'
import { EXIT, withoutOutput } from './command.js'
import { clearOutputs, refuseSharedFiles, writeAtomic } from './files.js'
import { clearFolder } from './output-folder.js'
import {
  filesOf,
  type Output,
  type RenderArguments,
  readOutputs,
  writeEach,
  writeOutputs,
  writesConsole,
} from './outputs.js'
import { print, say } from './print.js'
import type { Waivers } from './read-waivers.js'
import { reportFiles } from './report-files.js'
import { NO_WAIVERS } from './waivers.js'

/** Where a command writes its report: in its folder, and to each reporter that was asked for. */
export interface ReportOutput {
  readonly outputs: readonly Output[]
  /** All that will be written. */
  readonly files: readonly string[]
  readonly reportFile: string
  readonly pageFile: string
  /** For the report of a command that has to be ended. */
  readonly partialFile: string
}

type OutputArguments = RenderArguments & { readonly all: (name: 'reporter') => readonly string[] }

/**
 * @param options `others`: further files that the command writes; `read`: those that it reads
 * @throws AssayError `usage` where an output has the name of another, or of a file that is read
 */
export function reportOutput(
  args: OutputArguments,
  folder: string,
  {
    isNarrowed = false,
    others = [],
    read = [],
  }: {
    readonly isNarrowed?: boolean
    readonly others?: readonly string[]
    readonly read?: readonly string[]
  } = {},
): ReportOutput {
  const outputs = readOutputs(args.all('reporter'))
  const { reportFile, pageFile } = reportFiles(folder, isNarrowed)
  const files = [reportFile, pageFile, ...filesOf(outputs)]
  refuseSharedFiles([...others, ...files], read)
  return { outputs, files, reportFile, pageFile, partialFile: reportFiles(folder, true).reportFile }
}

/** The report files of runs that have begun: what is in their outputs is of this call. */
export const BEGUN = new Set<string>()

/** Empties what an earlier call left in the outputs, and in further files. @throws AssayError `unwritable-file` */
export function clearReportOutput(
  { files, outputs, reportFile }: ReportOutput,
  others: readonly string[] = [],
): void {
  BEGUN.add(reportFile)
  clearOutputs([...files, ...others])
  for (const { reporter, file } of outputs)
    if (isFolderReporter(reporter) && file !== undefined) clearFolder(file, folderReporters[reporter].owns)
}

export interface Finish {
  readonly strict?: boolean | undefined
  readonly sharded?: boolean
  readonly waivers?: Waivers
  /** The outputs that were written during the run, and what ends them. */
  readonly streamed?: readonly Output[]
  readonly ends?: readonly ((report: Report) => unknown)[]
  /** Default: that of the verdict. */
  readonly exitCodeOf?: (report: Report) => number
}

export interface Finished {
  readonly report: Report
  readonly exitCode: number
}

/** Applies the baseline, writes the report to every output, and gives the exit code. */
export async function finishReport(
  found: Report,
  { outputs, reportFile, pageFile }: ReportOutput,
  args: RenderArguments,
  {
    strict = false,
    sharded = false,
    waivers = NO_WAIVERS,
    streamed = [],
    ends = [],
    exitCodeOf,
  }: Finish = {},
): Promise<Finished> {
  const { report, stale, save } = waivers.apply(found, strict)
  const isKept = await writeEach([
    save,
    () => writeAtomic(reportFile, renderJsonPieces(report)),
    ...ends.map((end) => () => void end(report)),
  ])
  const rendered = outputs.filter((output) => !streamed.includes(output))
  const isShown = await writeOutputs([{ reporter: 'html', file: pageFile }, ...rendered], report, args)
  for (const line of stale) print(`baseline: ${line}`)
  if (isShown && writesConsole(outputs) && !args.on('quiet')) say(`Report: ${pageFile}`)
  const verdict =
    exitCodeOf?.(report) ?? verdictOf(report.results, report.rules, { strict, sharded }).exitCode
  const isStale = (report.baseline?.stale.length ?? 0) > 0
  const exitCode = isStale ? EXIT.nonconformant : verdict
  if (isKept && isShown) return { report, exitCode }
  const instead = withoutOutput(exitCode)
  // Last, below a verdict that may be green.
  print(`not every report could be written, as said above: exit code ${instead}`)
  return { report, exitCode: instead }
}
