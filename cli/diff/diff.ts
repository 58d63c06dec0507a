import type { ComparedService } from '../../conformance/assess/differential/ask/service-side.js'
import { findDifferences } from '../../conformance/assess/differential/find-differences.js'
import { parseProbeReplay } from '../../conformance/assess/differential/report/replay.js'
import { secretWarnings } from '../../conformance/evidence/describe.js'
import { undecidedOf } from '../../reports/formats/differential/words.js'
import { applyAccepted, parseAccepted } from '../../reports/model/known-failures/accepted.js'
import type { Differential } from '../../spec/generated/types/differential.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { loadSpecification } from '../../spec/load/specification.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { Specification } from '../../spec/model/specification.js'
import { type Arguments, describeFlags, type Flags, integer, readArguments } from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import { FROM_FLAG, SEED_FLAG, SERVICE_FLAGS } from '../shared/common-flags.js'
import { clearOutputs, refuseSharedFiles } from '../shared/files.js'
import { differenceFlags, readOutputsOf } from '../shared/outputs.js'
import { print } from '../shared/print.js'
import { clearingRefusal } from '../shared/refusal.js'
import { REACH_FLAGS, repeatedFlags } from '../shared/repeated-flags.js'
import { REPORT_FOLDER } from '../shared/report-files.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'
import { comparedClients, splitCommands } from './clients.js'
import { planLines } from './plan-lines.js'
import { againCommand, type ChosenSides, chooseSides } from './sides.js'
import { FORMATS, writeDifferential } from './write-differential.js'

const FLAGS = {
  old: {
    value: 'URL',
    help: 'the service that clients use now; or a deployment of --target',
  },
  new: { value: 'URL', help: 'the service that replaces it: a URL or a deployment, as for --old' },
  'old-again': {
    value: 'URL',
    help: 'a second instance of old, to measure noise: a URL or a deployment',
  },
  target: { value: 'FILE', help: 'target file: accounts of both services, registration, settings' },
  ...SERVICE_FLAGS,
  client: {
    value: '-- COMMAND',
    many: true,
    help: 'say whether this client breaks, run as by `client`; last, repeatable',
  },
  clients: { value: 'FILE', help: 'the same for each client of a list' },
  'fail-on': {
    value: 'WHAT',
    values: ['difference', 'broken-client'],
    help: 'difference (default), or broken-client: exit 1 only where a client breaks',
  },
  accepted: { value: 'FILE', help: 'accepted differences, each until a date' },
  from: FROM_FLAG,
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
  ...differenceFlags(FORMATS),
} as const satisfies Flags

const FLAG_NAMES = ['quiet', 'no-color'] as const

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay diff --old URL --new URL [flags]

Shows what clients will notice when a new service replaces an old one. Both receive the
same requests: every case, every observation, and generated requests. The old service is
asked twice: where it differs from itself is noise. Each difference is shrunk to its
smallest request, grouped with others of the same cause, and classified: the new service
breaks the contract, fixes what the old one broke, or the specification is silent.
Clients that are given sign in with the answers of both: what breaks the most comes first.

${describeFlags(FLAGS)}

Exit codes: 0 no difference, or only accepted ones
            1 a difference (with --fail-on broken-client: one that breaks a client), or an
              accepted entry is stale
            2 misuse, nothing was sent
            3 inconclusive · 70 a bug in token-assay · 130, 143 interrupted
`,
  execute,
}

async function execute(argv: readonly string[]): Promise<number> {
  const { flags, commands } = splitCommands(argv)
  const args = readArguments(flags, FLAGS)
  if (args.on('client'))
    throw new AssayError('usage', '--client takes a command, at the end: --client -- node sign-in.js')
  if (args.positionals.length > 0) throw new AssayError('usage', 'diff takes flags only: --old URL --new URL')
  const outputs = readOutputsOf(args.all('reporter'), FORMATS, 'a differential')
  const files = outputs.flatMap(({ file }) => file ?? [])
  const read = (['target', 'clients', 'accepted', 'from'] as const).flatMap((name) => args.one(name) ?? [])
  refuseSharedFiles(files, read)
  return clearingRefusal(files, () => unlessRefused(args, commands, outputs, files))
}

async function unlessRefused(
  args: Arguments<typeof FLAGS>,
  commands: ReturnType<typeof splitCommands>['commands'],
  outputs: Parameters<typeof writeDifferential>[1],
  files: readonly string[],
): Promise<number> {
  const acceptedFile = args.one('accepted')
  const accepted =
    acceptedFile === undefined
      ? undefined
      : parseAccepted(
          acceptedFile,
          readTextFile(acceptedFile, 'a list of accepted differences', { kib: 1024, code: 'bad-accepted' }),
        )
  const { sides, specification, notes } = await withRecording(await chooseSides(args), args.one('from'))
  const { old, new: now, again, warnings } = sides
  const clients = comparedClients(now.deployment.clients, args.one('clients'), commands)
  const failOn = readFailOn(args.one('fail-on'), clients.length > 0)
  const secrets = [...old.target.secrets, ...now.target.secrets]
  const ofSecrets = secretWarnings(
    secrets,
    [old.deployment, now.deployment],
    specification ?? loadSpecification(),
  )
  for (const warning of [...warnings, ...ofSecrets]) print(`warning: ${warning}`)
  if (!args.on('quiet')) for (const note of notes) print(note)
  clearOutputs(files)
  const namesLeft = {
    folder: REPORT_FOLDER,
    flags: repeatedFlags(args, FLAGS, REACH_FLAGS),
    byUrl: [args.one('old'), args.one('new')].some((side) => side?.includes('://')),
  }
  using stop = onStopSignals(() => print('stopping, then writing the partial report'))
  const found = await findDifferences(old, now, {
    ...args.options,
    ...(again === undefined ? {} : { again }),
    ...(specification === undefined ? {} : { specification }),
    command: againCommand(args, sides),
    signal: stop.signal,
    clients,
    onAccount: (news) => tellWatchdog({ kind: 'account', news }),
    onBegin: (differential, probes) => {
      if (!args.on('quiet')) for (const line of planLines(old.deployment, now.deployment, probes)) print(line)
      tellWatchdog({
        kind: 'known',
        known: {
          namesLeft,
          differential,
          reporters: args.all('reporter'),
          flags: FLAG_NAMES.filter(args.on),
        },
      })
    },
  })
  const known = accepted === undefined ? found : applyAccepted(found, accepted, new Date())
  const report: Differential = { ...known, ...failOn }
  const isWritten = await writeDifferential(report, outputs, args.on)
  if (report.accounts?.some(({ left }) => left !== undefined))
    await (await import('../clean-up/left-accounts.js')).keepLeft(report.accounts, namesLeft)
  const exitCode = failOn.failOn === undefined ? EXITS[report.verdict] : exitOfClients(report)
  return stop.exitCode() ?? (isWritten ? exitCode : withoutOutput(exitCode))
}

/** What was recorded of clients, as further requests to compare; its secrets are secrets of each side. */
async function withRecording(
  sides: ChosenSides,
  file: string | undefined,
): Promise<{
  readonly sides: ChosenSides
  readonly specification?: Specification
  readonly notes: readonly string[]
}> {
  if (file === undefined) return { sides, notes: [] }
  const { recordedRequests } = await import('../shared/recorded-requests.js')
  const deployments = [sides.old.deployment, sides.new.deployment] as const
  const recorded = recordedRequests(loadSpecification(), file, [...deployments])
  const { specification, withSecrets, notes } = recorded
  const secret = (side: ComparedService): ComparedService => ({ ...side, target: withSecrets(side.target) })
  const { old, new: now, again } = sides
  const known = {
    warnings: [...sides.warnings, ...recorded.warnings],
    old: secret(old),
    new: secret(now),
    ...(again === undefined ? {} : { again: secret(again) }),
  }
  return { sides: { ...sides, ...known }, specification, notes }
}

const EXITS: Readonly<Record<Differential['verdict'], number>> = {
  same: EXIT.conformant,
  different: EXIT.nonconformant,
  inconclusive: EXIT.inconclusive,
}

/** @throws AssayError `usage` */
function readFailOn(what: string | undefined, hasClients: boolean): Pick<Differential, 'failOn'> {
  if (what === undefined || what === 'difference') return {}
  if (what !== 'broken-client')
    throw new AssayError('usage', `--fail-on takes difference or broken-client, not \`${what}\``)
  if (!hasClients)
    throw new AssayError(
      'usage',
      '--fail-on broken-client needs clients: --client -- COMMAND or --clients FILE',
    )
  return { failOn: what }
}

/** A client that could not be tried may be broken. */
function exitOfClients(report: Differential): number {
  const { findings, flaky, inconclusive, accepted } = report
  const open = findings.filter(({ accepted }) => accepted === undefined)
  const isBroken = open.some((finding) => (finding.clients?.breaks.length ?? 0) > 0)
  if (isBroken || (accepted?.stale.length ?? 0) > 0) return EXIT.nonconformant
  const isUndecided = flaky.length + inconclusive.length + undecidedOf(report).length > 0
  return isUndecided ? EXIT.inconclusive : EXIT.conformant
}
