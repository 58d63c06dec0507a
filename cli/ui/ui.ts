import { join } from 'node:path'
import { TARGET_LIMIT } from '../../conformance/target/target-file.js'
import { startPage } from '../../pages/ui/page-server.js'
import { createSetup } from '../../pages/ui/setup/setup.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, type Flags, integer, readArguments } from '../shared/arguments.js'
import { type Command, EXIT } from '../shared/command.js'
import { listenError } from '../shared/listen-error.js'
import { print, say } from '../shared/print.js'
import { REPORT_FOLDER } from '../shared/report-files.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { findTargetFile } from '../shared/target-files.js'
import { createDemonstration } from './demonstration.js'
import { clearReport, keepPartialReport, keepReport } from './keep-report.js'
import { openPrivately } from './open-privately.js'
import { createReportFiles } from './report-files.js'
import { saveTarget } from './save-target.js'
import { watchFolder } from './watch-folder.js'

const FLAGS = {
  port: {
    value: 'N',
    help: 'the port of the page (default: any that is free)',
    option: 'port',
    parse: integer(0, 65_535),
  },
  'no-open': { help: 'only print the address' },
  target: { value: 'FILE', help: 'the target file to begin with (default: token-assay.yaml, when there)' },
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay ui [flags]

Serves a page on this machine, for one person: set up a target, run the suite, watch it,
look into failures, compare reports. Its address has a key: keep it to yourself. It writes
below the folder in which it is started: target files where you say, and reports to
token-assay-report. Ctrl-C ends it.

${describeFlags(FLAGS)}
`,
  execute: ui,
}

async function ui(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  if (args.positionals.length > 0)
    throw new AssayError('usage', 'ui takes flags only: the base URL is typed into the page')
  const file = args.one('target') ?? findTargetFile()
  const given =
    file === undefined ? undefined : { file, text: readTextFile(file, 'a target file', TARGET_LIMIT) }
  const folder = process.cwd()
  const reports = createReportFiles(folder)
  const setup = createSetup({
    environment: { ...process.env },
    given,
    // The HTTP client is loaded when it is needed first.
    probe: async (baseUrl, account) =>
      (await import('../../conformance/drivers/send/probe/probe-service.js')).probeService(baseUrl, account),
  })
  const demonstration = createDemonstration()
  using stop = onStopSignals(() => undefined)
  const page = await startPage({
    port: args.options.port ?? 0,
    setup,
    ports: {
      saveTarget: (name, text, replace) => saveTarget(folder, name, text, replace),
      clearReport: () => clearReport(folder),
      saveReport: (report, isStopped) => keepReport(folder, report, isStopped),
      history: reports.list,
      readReport: reports.read,
      demonstrate: demonstration.target,
      watch: (name, onChange) => watchFolder(folder, name, onChange),
    },
  }).catch((error: unknown) => {
    throw listenError(error, 'the page')
  })
  say(page.address)
  print('the page is for you alone; Ctrl-C ends it')
  // Many reports take a while: they are read before anyone asks for the history, which then says what is wrong.
  reports.list().catch(() => undefined)
  const forget = args.on('no-open') ? undefined : openPrivately(join(folder, REPORT_FOLDER), page.address)
  await stop.asked()
  forget?.()
  const partial = await page.close()
  await demonstration.close()
  if (partial === undefined) return EXIT.conformant
  print(`stopped during a run: see ${keepPartialReport(folder, partial)}`)
  return stop.exitCode() ?? EXIT.inconclusive
}
