import { join } from 'node:path'
import { MAX_WAIT } from '../../conformance/assess/rehearsal/cells/try-end-of-life.js'
import { DEFAULT_MAX_WAIT, rehearse } from '../../conformance/assess/rehearsal/rehearse.js'
import { secretWarnings } from '../../conformance/evidence/describe.js'
import { loadTargetFile } from '../../conformance/target/target-file.js'
import { jsonText } from '../../reports/formats/json.js'
import type { Rehearsal } from '../../spec/generated/types/rehearsal.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Arguments, describeFlags, type Flags, integer, readArguments } from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import { clearOutputs, refuseSharedFiles, writeAtomic } from '../shared/files.js'
import { differenceFlags, readOutputsOf, writeEach } from '../shared/outputs.js'
import { print } from '../shared/print.js'
import { clearingRefusal } from '../shared/refusal.js'
import { REPORT_FOLDER } from '../shared/report-files.js'
import { serviceWarnings } from '../shared/service-arguments.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { findTargetFile, noTarget } from '../shared/target-files.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'
import { keepCohort } from './cohort-state.js'
import { FORMATS, writeRehearsal } from './write-rehearsal.js'

const FLAGS = {
  target: { value: 'FILE', help: 'target file with the old service, the new one, and a resource' },
  'max-wait': {
    value: 'S',
    help: `seconds to wait for the end of a token's life (default: ${DEFAULT_MAX_WAIT})`,
    option: 'maxWaitMs',
    parse: (text: string, name: string) => integer(0, MAX_WAIT)(text, name) * 1000,
  },
  resume: { help: 'go on with the cohort where it was stopped' },
  'show-names': { help: 'name the accounts of the cohort that log in on one side only' },
  out: {
    value: 'DIR',
    otherNames: ['output'],
    help: `folder for rehearsal.json and rehearsal.html (default: ${REPORT_FOLDER})`,
  },
  ...differenceFlags(FORMATS),
} as const satisfies Flags

const FLAG_NAMES = ['quiet', 'no-color'] as const

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay rehearse --target FILE [flags]

Rehearses a cut-over: which service accepts whose tokens. Each instance of the old and of
the new service issues tokens by each grant, and each resource behind them is shown these
tokens: at once, after restarts, near the end of their life and after it.
The new service is expected to do with its own tokens what the old one does with its own;
\`expect\` in the target file says what else is expected. The specification says nothing of
this: no result here is part of the verdict of \`run\`.

${describeFlags(FLAGS)}

Exit codes: 0 everything is as expected
            1 something differs from what is expected
            2 misuse, nothing was sent
            3 inconclusive · 70 a bug in token-assay · 130, 143 interrupted
`,
  execute,
}

async function execute(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  if (args.positionals.length > 0)
    throw new AssayError('usage', 'rehearse takes flags only: --target FILE names both services')
  const output = outputOf(args)
  const file = args.one('target') ?? findTargetFile()
  refuseSharedFiles(output.files, [file ?? []].flat())
  return clearingRefusal(output.files, () => unlessRefused(args, file, output))
}

function outputOf(args: Arguments<typeof FLAGS>) {
  const outputs = readOutputsOf(args.all('reporter'), FORMATS, 'a rehearsal')
  const folder = args.one('out') ?? REPORT_FOLDER
  const [reportFile, pageFile] = [join(folder, 'rehearsal.json'), join(folder, 'rehearsal.html')]
  const files = [reportFile, pageFile, ...outputs.flatMap((output) => output.file ?? [])]
  return { folder, reportFile, pageFile, outputs, files }
}

async function unlessRefused(
  args: Arguments<typeof FLAGS>,
  file: string | undefined,
  { folder, reportFile, pageFile, outputs, files }: ReturnType<typeof outputOf>,
): Promise<number> {
  if (file === undefined) throw noTarget('give --target FILE, or write a target file with `token-assay init`')
  const target = loadTargetFile(file, process.env)
  const ofSecrets = secretWarnings(target.secrets, target.deployments, loadSpecification())
  for (const warning of [...serviceWarnings(target.deployments), ...ofSecrets]) print(`warning: ${warning}`)
  const settings = target.deployments.find(({ rehearsal }) => rehearsal !== undefined)?.rehearsal?.cohort
  if (settings === undefined && args.on('resume'))
    throw new AssayError('usage', '--resume needs a `cohort` in the target file')
  const kept =
    settings && keepCohort(join(folder, 'cohort.json'), settings, target.deployments, args.on('resume'))
  using stop = onStopSignals(() => print('stopping, then writing the partial report'))
  const report = await rehearse(target, {
    ...args.options,
    signal: stop.signal,
    cohort: { ...kept, showsNames: args.on('show-names') },
    onBegin: (rehearsal) => {
      clearOutputs(files)
      const flags = FLAG_NAMES.filter(args.on)
      tellWatchdog({
        kind: 'known',
        known: { rehearsal, file: reportFile, reporters: args.all('reporter'), flags },
      })
    },
  })
  const isKept = await writeEach([
    () => writeAtomic(reportFile, jsonText(report)),
    () => kept?.end(report.cohort === undefined || report.cohort.stopped !== undefined),
  ])
  const isShown = await writeRehearsal(report, [{ reporter: 'html', file: pageFile }, ...outputs], args.on)
  const exitCode = EXITS[report.verdict]
  return stop.exitCode() ?? (isKept && isShown ? exitCode : withoutOutput(exitCode))
}

const EXITS: Readonly<Record<Rehearsal['verdict'], number>> = {
  'as-expected': EXIT.conformant,
  different: EXIT.nonconformant,
  inconclusive: EXIT.inconclusive,
}
