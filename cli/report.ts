import { AssayError } from '../spec/assay-error.js'
import { describeFlags, readArguments } from './arguments.js'
import { type Command, EXIT } from './command.js'
import { prepareFiles, readOutputs, refuseSharedFiles } from './output.js'
import { readReport } from './read-report.js'
import { FORMATS, RENDER_FLAGS } from './render-flags.js'
import { writeOutputs } from './write-outputs.js'

export const reportCommand: Command = {
  usage: `Usage: token-assay report FILE [flags]

Renders a report that a run has saved, token-assay-report/report.json for one.

${describeFlags(RENDER_FLAGS)}

${FORMATS}

Exit codes: 0 rendered, whatever the verdict · 2 misuse, or no report that can be
            believed: cut short, or its counts, rules and results contradict each other
`,
  execute: async (argv) => {
    const args = readArguments(argv, RENDER_FLAGS)
    const [file, ...surplus] = args.positionals
    if (file === undefined || surplus.length > 0)
      throw new AssayError('usage', `report takes one file, found ${args.positionals.length}`)
    const outputs = readOutputs(args.all('reporter'))
    const files = outputs.flatMap((output) => output.file ?? [])
    refuseSharedFiles([file, ...files])
    const report = readReport(file)
    prepareFiles(files)
    await writeOutputs(outputs, report, args)
    return EXIT.conformant
  },
}
