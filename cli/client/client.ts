import { assessClient } from '../../conformance/assess/client/assess-client.js'
import { GENERATED_ANSWERS } from '../../conformance/assess/client/options.js'
import { parseClientReplay } from '../../conformance/assess/client/plan-scenarios.js'
import { commandClient } from '../../conformance/drivers/host/run-command.js'
import { shellWord } from '../../reports/formats/shared/phrase.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { progressOf } from '../run/progress.js'
import {
  type Arguments,
  describeFlags,
  type Flags,
  integer,
  integerOf,
  readArguments,
} from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import {
  type Conflicts,
  outFlag,
  refuseConflicts,
  refuseShardWithoutSeed,
  SEED_FLAG,
  SELECTION_FLAGS,
  SHARD_FLAG,
} from '../shared/common-flags.js'
import { assertWritable } from '../shared/files.js'
import { FORMATS, RENDER_FLAGS } from '../shared/outputs.js'
import { isTerminal, print } from '../shared/print.js'
import { reportingRefusal } from '../shared/refusal.js'
import { repeatedFlags } from '../shared/repeated-flags.js'
import { clearReportOutput, finishReport, type ReportOutput, reportOutput } from '../shared/report-output.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { WAIVER_FLAGS, waiversOf } from '../shared/waivers.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'

const FOLDER = 'token-assay-client-report'
const NARROWING = ['only', 'skip', 'replay'] as const

const FLAGS = {
  ...SELECTION_FLAGS,
  replay: {
    value: 'ID',
    help: 'repeat one case, or one generated answer, as shown under a failure',
    option: 'replay',
    parse: parseClientReplay,
  },
  'long-running': {
    help: 'also let tokens expire: the client asks TOKEN_ASSAY_FETCHES times',
    option: 'longRunning',
  },
  strict: { help: 'also fail for broken "should" rules', option: 'strict' },
  seed: SEED_FLAG,
  runs: {
    value: 'N',
    help: `generated answers (default: ${GENERATED_ANSWERS})`,
    option: 'runs',
    parse: integer(1, 100_000),
  },
  concurrency: {
    value: 'N',
    help: 'calls of the command at the same time (default: 4)',
    option: 'concurrency',
    parse: integer(1, 64),
  },
  'time-out': { value: 'S', help: 'seconds for one call (default: 30)', otherNames: ['timeout'] },
  patience: {
    value: 'S',
    help: 'seconds to wait for an answer that never comes (default: 12)',
    option: 'patienceMs',
    parse: (text, flag) => 1000 * integer(1, 3600)(text, flag),
  },
  shard: { ...SHARD_FLAG, help: 'run part I of N of the scenarios; needs --seed; `merge` joins the reports' },
  ...WAIVER_FLAGS,
  out: outFlag(FOLDER),
  ...RENDER_FLAGS,
} as const satisfies Flags

const CONFLICTS: Conflicts<keyof typeof FLAGS> = (['only', 'skip', 'shard'] as const).map(
  (other) => ['replay', other, '--replay names the one case to run'] as const,
)

export const command: Command = {
  flags: FLAGS,
  usage: `Usage: token-assay client [flags] -- COMMAND [ARGUMENT…]

Tests a client of token services. The command is called once for each scenario,
without a shell, and finds in its environment:

  TOKEN_ASSAY_URL            the base URL of a service of its own
  TOKEN_ASSAY_USER_NAME      the account
  TOKEN_ASSAY_PASSWORD       its password
  TOKEN_ASSAY_RESOURCE_URL   answers 200 to a valid token, and 401 to anything else
  TOKEN_ASSAY_SCENARIO       the id of the scenario
  TOKEN_ASSAY_FETCHES        how often a long-running client asks for the resource
  TOKEN_ASSAY_CONCURRENCY    how many of these requests it may make at the same time
  TZ                         another time zone, in some of the scenarios

The command signs in, may request the resource with its token, and exits: code 0 means
signed in, any other means not. It may print one line of JSON, which is judged too:
{"signedIn":true,"userName":"alice","expiresAt":"2027-01-31T12:00:00Z"}

${describeFlags(FLAGS)}

${FORMATS}

Exit codes: 0 conformant · 1 a rule is broken, or a baseline entry is stale
            2 misuse, or the command cannot be started
            3 inconclusive · 70 a bug in token-assay · 130, 143 interrupted
`,
  execute,
}

async function execute(argv: readonly string[]): Promise<number> {
  const at = argv.indexOf('--')
  const [command, ...rest] = at < 0 ? [] : argv.slice(at + 1)
  const args = readArguments(at < 0 ? argv : argv.slice(0, at), FLAGS)
  if (command === undefined || args.positionals.length > 0)
    throw new AssayError(
      'usage',
      'client takes the command after `--`, as in `token-assay client -- node sign-in.js`',
    )
  const isNarrowed = NARROWING.some((name) => args.on(name))
  const read = [args.one('baseline') ?? []].flat()
  const output = reportOutput(args, args.one('out') ?? FOLDER, { isNarrowed, read })
  return reportingRefusal(output, args, () => unlessRefused([command, ...rest], args, output))
}

async function unlessRefused(
  [command, ...rest]: readonly [string, ...(readonly string[])],
  args: Arguments<typeof FLAGS>,
  output: ReportOutput,
): Promise<number> {
  refuseShardWithoutSeed(args)
  refuseConflicts(args, CONFLICTS)
  const seconds = integerOf('time-out', args.one('time-out'), 1, 3600) ?? 30
  const waivers = await waiversOf(args)
  const { strict, shard } = args.options
  // Arguments may hold secrets: the first alone is named, where it is a file to run.
  const shown = [command, ...rest.slice(0, 1).filter((first) => !first.startsWith('-'))]
  const progress = isTerminal('stderr') && !args.on('quiet') ? progressOf(args) : undefined
  using stop = onStopSignals(() => print('stopping, then writing the partial report'))
  const found = await assessClient(commandClient(command, rest, seconds * 1000), {
    ...args.options,
    name: shown.join(' '),
    signal: stop.signal,
    reproduce: (replay) =>
      [
        'token-assay client',
        ...repeatedFlags(args, FLAGS, ['long-running', 'time-out']).map(shellWord),
        `--replay ${shellWord(replay)} --`,
        ...shown.map(shellWord),
      ]
        .concat(shown.length <= rest.length ? ['ARGUMENTS'] : [])
        .join(' '),
    onPlan: (parts) => {
      assertWritable(waivers.files)
      clearReportOutput(output)
      const gate = { strict: strict === true, sharded: shard !== undefined }
      tellWatchdog({ kind: 'known', known: { file: output.partialFile, parts, gate } })
      progress?.planned(parts.results.length)
    },
    onResult: (result) => {
      tellWatchdog({ kind: 'result', result })
      for (const _ of result.exchanges) progress?.sent()
      progress?.finished(result)
    },
  }).finally(() => progress?.done())
  const finish = { strict, sharded: shard !== undefined, waivers }
  const { exitCode } = await finishReport(found, output, args, finish)
  return stop.exitCode() ?? exitCode
}
