import { isStrict, mergeReports } from '../reports/model/merge.js'
import { readReport } from '../reports/model/read-report.js'
import { AssayError } from '../spec/model/assay-error.js'
import { type Arguments, describeFlags, type Flags, readArguments } from './shared/arguments.js'
import type { Command } from './shared/command.js'
import { outFlag } from './shared/common-flags.js'
import { assertWritable, refuseSharedFiles } from './shared/files.js'
import { FORMATS, RENDER_FLAGS } from './shared/outputs.js'
import { reportingRefusal } from './shared/refusal.js'
import { REPORT_FOLDER } from './shared/report-files.js'
import { finishReport, type ReportOutput, reportOutput } from './shared/report-output.js'

const FLAGS = {
  out: outFlag(REPORT_FOLDER),
  ...RENDER_FLAGS,
} as const satisfies Flags

export const command: Command = {
  flags: FLAGS,
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
    // A refused one may be of a part or of the whole: a pipeline keeps the reports of both.
    const whole = outputOf(args, false)
    return reportingRefusal(whole, args, () => unlessRefused(args), [whole, outputOf(args, true)])
  },
}

function outputOf(args: Arguments<typeof FLAGS>, isNarrowed: boolean): ReportOutput {
  return reportOutput(args, args.one('out') ?? REPORT_FOLDER, { isNarrowed, read: args.positionals })
}

async function unlessRefused(args: Arguments<typeof FLAGS>): Promise<number> {
  refuseSharedFiles(args.positionals)
  const parts = args.positionals.map((file) => ({ file, report: readReport(file) }))
  const merged = mergeReports(parts)
  const isNarrowed = ['only', 'skip', 'deployments', 'effort'].some((name) =>
    Object.hasOwn(merged.selection ?? {}, name),
  )
  const output = outputOf(args, isNarrowed)
  assertWritable(output.files)
  const strict = isStrict(parts.map(({ report }) => report))
  return (await finishReport(merged, output, args, { strict })).exitCode
}
