import { join } from 'node:path'
import { renderJsonPieces } from '../reports/formats/json.js'
import { isStrict, mergeReports } from '../reports/model/merge.js'
import { AssayError } from '../spec/model/assay-error.js'
import { verdictOf } from '../spec/model/verdict.js'
import { describeFlags, type Flags, readArguments } from './shared/arguments.js'
import { type Command, EXIT, withoutOutput } from './shared/command.js'
import { assertWritable, refuseSharedFiles, writeAtomic } from './shared/files.js'
import {
  FORMATS,
  type Output,
  RENDER_FLAGS,
  readOutputs,
  whereLine,
  writeEach,
  writeOutputs,
  writesConsole,
} from './shared/outputs.js'
import { readReport } from './shared/read-report.js'

const FLAGS = {
  out: { value: 'DIR', help: 'folder for report.json and index.html (default: token-assay-report)' },
  ...RENDER_FLAGS,
} as const satisfies Flags

export const mergeCommand: Command = {
  usage: `Usage: token-assay merge FILE… [flags]

Joins the reports of all shards of a run (\`run --shard I/N --seed S\`, or the same of
\`client\`) into the report of the whole run. The exit code is that of the whole run too.

${describeFlags(FLAGS)}

${FORMATS}

Exit codes: 0 conformant · 1 a rule is broken, or a baseline entry is stale
            3 inconclusive
            2 misuse: a shard is missing, is given twice, or is from another run
`,
  execute: async (argv) => {
    const args = readArguments(argv, FLAGS)
    if (args.positionals.length === 0)
      throw new AssayError('usage', 'merge takes the report.json of every shard, found no file')
    const outputs = readOutputs(args.all('reporter'))
    const folder = args.one('out') ?? 'token-assay-report'
    const reportFile = join(folder, 'report.json')
    const page: Output = { reporter: 'html', file: join(folder, 'index.html') }
    const files = [reportFile, ...[page, ...outputs].flatMap(({ file }) => file ?? [])]
    refuseSharedFiles([...args.positionals, ...files])
    const parts = args.positionals.map((file) => ({ file, report: readReport(file) }))
    const report = mergeReports(parts)
    assertWritable(files)
    const wroteReport = await writeEach([() => writeAtomic(reportFile, renderJsonPieces(report))])
    const wroteOutputs = await writeOutputs([page, ...outputs], report, args)
    if (writesConsole(outputs) && !args.on('quiet')) process.stdout.write(whereLine(page.file))
    const strict = isStrict(parts.map((part) => part.report))
    const isStale = (report.baseline?.stale.length ?? 0) > 0
    const { exitCode } = verdictOf(report.results, report.rules, { strict })
    const code = isStale ? EXIT.nonconformant : exitCode
    return wroteReport && wroteOutputs ? code : withoutOutput(code)
  },
}
