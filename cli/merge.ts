import { join } from 'node:path'
import { renderJsonPieces } from '../reports/json.js'
import { isStrict, mergeReports } from '../reports/merge.js'
import { AssayError } from '../spec/assay-error.js'
import { verdictOf } from '../spec/verdict.js'
import { describeFlags, type Flags, readArguments } from './arguments.js'
import type { Command } from './command.js'
import { type Output, prepareFiles, readOutputs, refuseSharedFiles, writeWhole } from './output.js'
import { readReport } from './read-report.js'
import { FORMATS, RENDER_FLAGS } from './render-flags.js'
import { writeOutputs } from './write-outputs.js'

const FLAGS = {
  out: { value: 'DIR', help: 'where report.json and index.html are written (default: token-assay-report)' },
  ...RENDER_FLAGS,
} as const satisfies Flags

export const mergeCommand: Command = {
  usage: `Usage: token-assay merge FILE… [flags]

Joins the reports of all shards of a run (\`run --shard I/N --seed S\`) into the one that
the whole run would have given, and exits as that run would have.

${describeFlags(FLAGS)}

${FORMATS}

Exit codes: 0 conformant · 1 a rule is broken · 3 inconclusive
            2 misuse: a shard is missing or there twice, or is of another run
`,
  execute: async (argv) => {
    const args = readArguments(argv, FLAGS)
    if (args.positionals.length === 0)
      throw new AssayError('usage', 'merge takes the report.json of every shard, found none')
    const outputs = readOutputs(args.all('reporter'))
    const folder = args.one('out') ?? 'token-assay-report'
    const reportFile = join(folder, 'report.json')
    const page: Output = { reporter: 'html', file: join(folder, 'index.html') }
    const files = [reportFile, ...[page, ...outputs].flatMap(({ file }) => file ?? [])]
    refuseSharedFiles([...args.positionals, ...files])
    const parts = args.positionals.map((file) => ({ file, report: readReport(file) }))
    const report = mergeReports(parts)
    prepareFiles(files)
    writeWhole(reportFile, renderJsonPieces(report))
    await writeOutputs([page, ...outputs], report, args)
    const strict = isStrict(parts.map((part) => part.report))
    return verdictOf(report.results, report.rules, { strict }).exitCode
  },
}
