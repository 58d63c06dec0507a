import { assessClient } from '../../conformance/assess/client/assess-client.js'
import { parseClientReplay } from '../../conformance/assess/client/plan-scenarios.js'
import { commandClient } from '../../conformance/drivers/host/run-command.js'
import { renderJsonPieces } from '../../reports/formats/json.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { shellQuote } from '../../reports/formats/shared/phrase.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { verdictOf } from '../../spec/model/verdict.js'
import {
  type Arguments,
  describeFlags,
  type Flags,
  integer,
  integerOf,
  readArguments,
} from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import {
  refuseShardWithoutSeed,
  SEED_FLAG,
  SHARD_FLAG,
  WAIVER_FLAGS,
  waiversOf,
} from '../shared/common-flags.js'
import { assertWritable, refuseSharedFiles, writeAtomic } from '../shared/files.js'
import {
  FORMATS,
  type Output,
  RENDER_FLAGS,
  readOutputs,
  reportFiles,
  whereLine,
  writeEach,
  writeOutputs,
  writesConsole,
} from '../shared/outputs.js'
import { onStopSignals } from '../shared/stop-signals.js'

const FOLDER = 'token-assay-client-report'
const NARROWING = ['only', 'skip', 'replay'] as const

const FLAGS = {
  only: {
    value: 'GLOB',
    many: true,
    help: 'only cases or rules whose id matches; * is any text',
    option: 'only',
  },
  skip: {
    value: 'GLOB',
    many: true,
    help: 'not the ones whose id matches; wins over --only',
    option: 'skip',
  },
  replay: {
    value: 'ID',
    help: 'repeat one case, or one generated answer, as shown under a failure',
    option: 'replay',
    parse: parseClientReplay,
  },
  'long-running': {
    help: 'it asks TOKEN_ASSAY_FETCHES times, and tokens expire: judge that too',
    option: 'longRunning',
  },
  strict: { help: 'fail for broken "should" rules too', option: 'strict' },
  seed: SEED_FLAG,
  runs: {
    value: 'N',
    help: 'generated answers (default: 20)',
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
  shard: { ...SHARD_FLAG, help: 'part I of N of the scenarios; needs --seed; `merge` joins the reports' },
  ...WAIVER_FLAGS,
  out: {
    value: 'DIR',
    otherNames: ['output'],
    help: `folder for report.json and index.html (default: ${FOLDER})`,
  },
  ...RENDER_FLAGS,
} as const satisfies Flags

export const clientCommand: Command = {
  usage: `Usage: token-assay client [flags] -- COMMAND [ARGUMENT…]

Tests a client of token services. The command is called once for each scenario,
without a shell, and finds in its environment:

  TOKEN_ASSAY_URL            the base URL of a service of its own
  TOKEN_ASSAY_USER_NAME      the account
  TOKEN_ASSAY_PASSWORD       its password
  TOKEN_ASSAY_RESOURCE_URL   answers 200 to a valid token, and 401 to anything else
  TOKEN_ASSAY_SCENARIO       the id of the scenario
  TOKEN_ASSAY_FETCHES        how often a long-running client asks for the resource

It signs in, may ask for the resource with its token, and ends: exit code 0 is signed
in, any other is not. It may print one line of JSON, which is judged too:
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
  refuseShardWithoutSeed(args)
  if (args.on('replay') && (['only', 'skip', 'shard'] as const).some((name) => args.on(name)))
    throw new AssayError('usage', '--replay names the one case to run: without --only, --skip and --shard')
  const outputs = readOutputs(args.all('reporter'))
  const { reportFile, pageFile } = reportFiles(args.one('out') ?? FOLDER, isNarrowed)
  const page: Output = { reporter: 'html', file: pageFile }
  const files = [reportFile, ...[page, ...outputs].flatMap(({ file }) => file ?? [])]
  refuseSharedFiles(files)
  const seconds = integerOf('time-out', args.one('time-out'), 1, 3600) ?? 30
  const waivers = await waiversOf(args)
  const { strict = false, shard } = args.options
  // Arguments may hold secrets: the first alone is named, where it is a file to run.
  const shown = [command, ...rest.slice(0, 1).filter((first) => !first.startsWith('-'))]
  const stop = onStopSignals(() =>
    process.stderr.write('token-assay: stopping, then writing the partial report\n'),
  )
  try {
    const found = await assessClient(commandClient(command, rest, seconds * 1000), {
      ...args.options,
      name: shown.join(' '),
      signal: stop.signal,
      reproduce: (replay) =>
        ['token-assay client', ...repeated(args), `--replay ${word(replay)} --`, ...shown.map(word)]
          .concat(shown.length <= rest.length ? ['ARGUMENTS'] : [])
          .join(' '),
      onPlan: () => assertWritable([...files, ...waivers.files]),
    })
    const { report, stale, save } = waivers.apply(found, strict)
    const kept = await writeEach([save, () => writeAtomic(reportFile, renderJsonPieces(report))])
    const rendered = await writeOutputs([page, ...outputs], report, args)
    for (const line of stale) process.stderr.write(`token-assay: baseline: ${escapeForTerminal(line)}\n`)
    if (writesConsole(outputs) && !args.on('quiet')) process.stdout.write(whereLine(page.file))
    const { exitCode } = verdictOf(report.results, report.rules, { strict, sharded: shard !== undefined })
    const code = stale.length > 0 ? EXIT.nonconformant : exitCode
    return stop.exitCode() ?? (kept && rendered ? code : withoutOutput(code))
  } finally {
    stop[Symbol.dispose]()
  }
}

/** The flags without which a case is not the same. */
function repeated(args: Arguments<typeof FLAGS>): readonly string[] {
  const limit = args.one('time-out')
  return [
    ...(args.on('long-running') ? ['--long-running'] : []),
    ...(limit === undefined ? [] : [`--time-out ${limit}`]),
  ]
}

/** One word for a shell, in quotes where it needs them. */
function word(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : shellQuote(text)
}
