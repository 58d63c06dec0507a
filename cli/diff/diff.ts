import { findDifferences } from '../../conformance/assess/differential/find-differences.js'
import { parseProbeReplay } from '../../conformance/assess/differential/report/replay.js'
import { applyAccepted, parseAccepted } from '../../reports/model/known-failures/accepted.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, type Flags, integer, readArguments } from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import { SEED_FLAG, SERVICE_FLAGS } from '../shared/common-flags.js'
import { assertWritable, refuseSharedFiles } from '../shared/files.js'
import { RENDER_FLAGS, readOutputsOf } from '../shared/outputs.js'
import { print } from '../shared/print.js'
import { REPORT_FOLDER } from '../shared/report-files.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'
import { planLines } from './plan-lines.js'
import { chooseSides } from './sides.js'
import { FORMATS, writeDifferential } from './write-differential.js'

const FLAGS = {
  old: {
    value: 'URL',
    help: 'the service that clients use now; or a deployment of --target',
  },
  new: { value: 'URL', help: 'the service that replaces it: a URL or a deployment, as for --old' },
  'old-again': {
    value: 'URL',
    help: 'a second instance of the old service, to measure noise (default: --old)',
  },
  target: { value: 'FILE', help: 'target file: accounts of both services, registration, settings' },
  ...SERVICE_FLAGS,
  accepted: { value: 'FILE', help: 'accepted differences, each until a date' },
  seed: SEED_FLAG,
  runs: {
    value: 'N',
    help: 'requests to generate (default: 1000)',
    option: 'runs',
    parse: integer(1, 1_000_000),
  },
  concurrency: {
    value: 'N',
    help: 'requests at the same time, for each service (default: 8)',
    option: 'concurrency',
    parse: integer(1, 64),
  },
  replay: {
    value: 'ID',
    help: 'compare only the request of one finding',
    option: 'replay',
    parse: parseProbeReplay,
  },
  reporter: { value: 'NAME[=FILE]', many: true, help: `one of ${FORMATS.join(', ')}; repeatable` },
  quiet: { help: 'one line for each difference, then the verdict' },
  'no-color': RENDER_FLAGS['no-color'],
} as const satisfies Flags

const FLAG_NAMES = ['quiet', 'no-color'] as const

export const command: Command = {
  usage: `Usage: token-assay diff --old URL --new URL [flags]

Shows what clients will notice when a new service replaces an old one. Both receive the
same requests: every case, every observation, and generated requests. The old service is
asked twice: where it differs from itself is noise. Each difference is shrunk to its
smallest request, grouped with others of the same cause, and classified: the new service
breaks the contract, fixes what the old one broke, or the specification is silent.

${describeFlags(FLAGS)}

Exit codes: 0 no difference, or only accepted ones
            1 a difference, or an accepted entry is stale
            2 misuse, nothing was sent
            3 inconclusive · 70 a bug in token-assay · 130, 143 interrupted
`,
  execute,
}

async function execute(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, FLAGS)
  if (args.positionals.length > 0) throw new AssayError('usage', 'diff takes only flags: --old URL --new URL')
  const reporters = args.all('reporter')
  const outputs = readOutputsOf(reporters, FORMATS, 'a differential')
  const files = outputs.flatMap(({ file }) => file ?? [])
  refuseSharedFiles(files)
  const acceptedFile = args.one('accepted')
  const accepted =
    acceptedFile === undefined
      ? undefined
      : parseAccepted(
          acceptedFile,
          readTextFile(acceptedFile, 'a list of accepted differences', { kib: 1024, code: 'bad-accepted' }),
        )
  const { old, new: now, again, warnings } = await chooseSides(args)
  for (const warning of warnings) print(`warning: ${warning}`)
  assertWritable(files)
  using stop = onStopSignals(() => print('stopping, then writing the partial report'))
  const found = await findDifferences(old, now, {
    ...args.options,
    ...(again === undefined ? {} : { again }),
    signal: stop.signal,
    onBegin: (differential, probes) => {
      if (!args.on('quiet')) for (const line of planLines(old.deployment, now.deployment, probes)) print(line)
      tellWatchdog({ kind: 'known', known: { differential, reporters, flags: FLAG_NAMES.filter(args.on) } })
    },
  })
  const report = accepted === undefined ? found : applyAccepted(found, accepted, new Date())
  const isWritten = await writeDifferential(report, outputs, args.on)
  if (report.accounts?.some(({ left }) => left !== undefined))
    await (await import('../clean-up/left-accounts.js')).keepLeft(REPORT_FOLDER, report.accounts, {
      target: args.one('target'),
      byUrl: [args.one('old'), args.one('new')].some((side) => side?.includes('://')),
    })
  const exitCode = EXITS[report.verdict]
  return stop.exitCode() ?? (isWritten ? exitCode : withoutOutput(exitCode))
}

const EXITS: Readonly<Record<Differential['verdict'], number>> = {
  same: EXIT.conformant,
  different: EXIT.nonconformant,
  inconclusive: EXIT.inconclusive,
}
