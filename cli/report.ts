import { readReport } from '../reports/model/read-report.js'
import { AssayError } from '../spec/model/assay-error.js'
import { describeFlags, readArguments } from './shared/arguments.js'
import { type Command, EXIT } from './shared/command.js'
import { assertWritable, refuseSharedFiles } from './shared/files.js'
import { FORMATS, filesOf, RENDER_FLAGS, readOutputs, writeOutputs } from './shared/outputs.js'
import { clearingRefusal } from './shared/refusal.js'

export const command: Command = {
  flags: RENDER_FLAGS,
  usage: `Usage: token-assay report FILE [flags]

Renders a saved report, such as token-assay-report/report.json, in other formats.

${describeFlags(RENDER_FLAGS)}

${FORMATS}

Exit codes: 0 rendered, whatever the verdict
            2 misuse, the report is incomplete or contradicts itself, or a file cannot be written
`,
  execute: async (argv) => {
    const args = readArguments(argv, RENDER_FLAGS)
    const [file, ...others] = args.positionals
    if (file === undefined || others.length > 0)
      throw new AssayError('usage', `report takes one file, found ${args.positionals.length}`)
    const outputs = readOutputs(args.all('reporter'))
    const files = filesOf(outputs)
    refuseSharedFiles(files, [file])
    return clearingRefusal(files, async () => {
      const report = readReport(file)
      assertWritable(files)
      return (await writeOutputs(outputs, report, args)) ? EXIT.conformant : EXIT.misuse
    })
  },
}
