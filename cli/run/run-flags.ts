import type { KeepExchanges } from '../../conformance/drivers/send/session/run-context.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { EFFORTS, parseReplay, type Replay } from '../../spec/model/selection.js'
import { type Arguments, describeFlags, type Flags, integer } from '../shared/arguments.js'
import {
  ADVICE_FLAGS,
  CASES_FLAG,
  FROM_FLAG,
  MAX_DURATION_FLAG,
  outFlag,
  readEffort,
  SEED_FLAG,
  SELECTION_FLAGS,
  SERVICE_FLAGS,
  SHARD_FLAG,
  STRICT_FLAG,
} from '../shared/common-flags.js'
import { FORMATS, RENDER_FLAGS } from '../shared/outputs.js'
import { REACH_FLAGS, repeatedFlags } from '../shared/repeated-flags.js'
import { REPORT_FOLDER } from '../shared/report-files.js'
import { IMPLICIT_FILES } from '../shared/target-files.js'
import { WAIVER_FLAGS } from '../shared/waivers.js'
import type { NamesLeft } from '../shared/watchdog/messages.js'

/**
 * Every flag of `run`, each in one row: its line in the help, its parser and its type. A row with an `option` sets that
 * member of `RunOptions`; nothing else has to be changed in this folder.
 */
export const RUN_FLAGS = {
  target: { value: 'FILE', help: `target file (default: ${IMPLICIT_FILES.join(', ')})` },
  embedded: { help: 'test the embedded reference server' },
  ...SERVICE_FLAGS,
  deployment: {
    value: 'NAME',
    many: true,
    help: 'run only this deployment of the target file',
    option: 'deployments',
  },
  ...SELECTION_FLAGS,
  'last-failed': { help: 'run only what failed or could not be judged last time (report in --out)' },
  watch: {
    value: 'PATH',
    many: true,
    help: 'run again when a file in PATH changes, failures first; keys: a, f, q',
  },
  open: { help: 'open the page of the report in the browser' },
  cases: CASES_FLAG,
  from: FROM_FLAG,
  ...ADVICE_FLAGS,
  strict: STRICT_FLAG,
  seed: SEED_FLAG,
  runs: {
    value: 'N',
    help: 'inputs for each property-based case (default: near misses and 12 drawn)',
    option: 'runs',
    parse: integer(1, 1_000_000),
  },
  effort: {
    value: 'LEVEL',
    values: EFFORTS,
    help: 'quick: the likeliest mistakes; normal; thorough: 500 inputs of each case',
    option: 'effort',
    parse: readEffort,
  },
  exhaustive: { help: 'with --embedded: all 256 combinations of policy settings' },
  replay: {
    value: 'ID',
    help: "repeat one input of one case: 'DEPLOYMENT/CASE@SEED:PATH'",
    option: 'replay',
    parse: readReplay,
  },
  concurrency: {
    value: 'N',
    help: 'requests at the same time (default: 8)',
    option: 'concurrency',
    parse: integer(1, 256),
  },
  'max-duration': MAX_DURATION_FLAG,
  shard: { ...SHARD_FLAG, help: 'run part I of N, by deployment; needs --seed; `merge` joins the reports' },
  ...WAIVER_FLAGS,
  bail: { help: 'stop at the first failure', option: 'bail', otherNames: ['fail-fast'] },
  'keep-exchanges': {
    value: 'WHICH',
    values: ['all', 'failed', 'none'],
    help: 'keep the exchanges of these results: all, failed or none (default: all)',
    option: 'keepExchanges',
    parse: readKeepExchanges,
  },
  trace: { value: 'FILE', help: 'write when each request was in flight, for Perfetto (Chrome trace format)' },
  out: outFlag(REPORT_FOLDER),
  ...RENDER_FLAGS,
} as const satisfies Flags

/** Without these an input is not the same one, or goes elsewhere. */
export const REPEATED = [
  ...['target', 'embedded', 'exhaustive', 'cases', 'from', 'profile', 'gate', 'requirements', 'strict'],
  ...Object.keys(SERVICE_FLAGS),
] as readonly (keyof typeof RUN_FLAGS)[]

export type RunArguments = Arguments<typeof RUN_FLAGS>

export function folderOf(args: RunArguments): string {
  return args.one('out') ?? REPORT_FOLDER
}

export function namesLeftOf(args: RunArguments): NamesLeft {
  const flags = repeatedFlags(args, RUN_FLAGS, REACH_FLAGS)
  return { folder: folderOf(args), flags, byUrl: args.positionals.length > 0 }
}

export const RUN_USAGE = `Usage: token-assay run [base-url] [flags]

Runs the suite against a base URL, against the service of a target file, or, with
--embedded, against the reference server in this package. The report is written to
DIR/report.json; DIR/index.html shows it as a page. A run that is narrowed by --only,
--skip, --deployment, --replay, --last-failed or --effort quick never writes these: its
report is in report.partial.json and index.partial.html.

${describeFlags(RUN_FLAGS)}

${FORMATS}

--last-failed reads these two files; there is no other state. If nothing failed, or there
is no report of this target, everything runs. As with --only, the verdict covers only the
part that ran. --watch runs the failures first, and everything once they pass. On a
terminal, press a to run everything, f to run only the failures, q to quit; elsewhere, a
signal ends it.

Exit codes: 0 conformant · 1 a rule is broken, or a baseline entry is stale
            2 misuse, nothing was sent
            3 inconclusive · 70 a bug in token-assay · 130, 143 interrupted

A target file runs commands and reads the environment. Do not use one from a
source that you do not trust.
`

function readReplay(text: string): Replay {
  const replay = parseReplay(text)
  if (replay !== undefined) return replay
  const form = "'DEPLOYMENT/CASE@SEED:PATH', as shown under a failure"
  throw new AssayError('usage', `--replay takes ${form}, not \`${text}\``)
}

function readKeepExchanges(text: string): KeepExchanges {
  if (text === 'all' || text === 'failed' || text === 'none') return text
  throw new AssayError('usage', `--keep-exchanges takes all, failed or none, not \`${text}\``)
}
