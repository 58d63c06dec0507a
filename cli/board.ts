import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { boardFiles } from '../pages/board/board.js'
import { AssayError } from '../spec/model/assay-error.js'
import { describeFlags, type Flags, readArguments } from './shared/arguments.js'
import { type Command, EXIT } from './shared/command.js'
import { assertWritable, writeAtomic } from './shared/files.js'
import { print, say } from './shared/print.js'
import { realFolder } from './shared/real-folder.js'
import { createReportFiles } from './ui/report-files.js'

const FLAGS = {
  out: { value: 'DIR', help: 'where the pages are written (default: token-assay-board)' },
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay board FOLDER [flags]

Writes the history of the reports below a folder as static pages, for a wiki or a pages
host: index.html with the runs by date and a line for each rule over time, a page and a
badge for each report, and badge.svg of the newest. The pages load nothing.

${describeFlags(FLAGS)}

Exit codes: 0 written · 2 misuse, or there is no report
`,
  execute: board,
}

async function board(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  const [folder, ...others] = args.positionals
  if (folder === undefined || others.length > 0)
    throw new AssayError(
      'usage',
      `board takes one folder of reports, found ${args.positionals.length} arguments`,
    )
  if (realFolder(folder) === undefined)
    throw new AssayError('missing-file', `${folder}: expected a folder of reports`)
  const out = args.one('out') ?? 'token-assay-board'
  const reports = createReportFiles(folder)
  const { entries, ...unread } = await reports.list()
  for (const problem of unread.problems) print(`warning: ${problem}`)
  const none =
    entries.length > 0
      ? undefined
      : new AssayError('missing-file', `${folder}: expected report.json files of runs below it, found none`)
  // The badge of an earlier board must not stay green.
  if (none !== undefined && !existsSync(join(out, 'badge.svg'))) throw none
  assertWritable(['reports', 'badges'].map((part) => join(out, part, '.probe')))
  for (const { path, text } of boardFiles(entries, unread, reports.read)) writeAtomic(join(out, path), text)
  if (none !== undefined) throw none
  say(join(out, 'index.html'))
  return EXIT.conformant
}
