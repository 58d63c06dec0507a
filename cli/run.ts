import { join } from 'node:path'
import type { Target } from '../conformance/deployment.js'
import { parseReplay, type Replay } from '../conformance/replay.js'
import { assessTarget, type RunOptions } from '../conformance/run.js'
import { escapeForTerminal } from '../reports/escape.js'
import { renderJsonPieces } from '../reports/json.js'
import { AssayError } from '../spec/assay-error.js'
import { parseShard, type Shard } from '../spec/shard.js'
import type { Report } from '../spec/types.js'
import { verdictOf } from '../spec/verdict.js'
import { integerOf, readArguments } from './arguments.js'
import type { Command } from './command.js'
import { specificationWith } from './extra-cases.js'
import { type Output, prepareFiles, readOutputs, refuseSharedFiles, writeWhole } from './output.js'
import { createProgress, type Progress } from './progress.js'
import { RUN_FLAGS, RUN_USAGE } from './run-flags.js'
import { chooseTarget, plainHttpWarnings, type RunArguments } from './run-target.js'
import { onStopSignals } from './stop-signals.js'
import { createStream } from './stream.js'
import { readWaivers } from './waivers.js'
import { useColor, writeOutputs } from './write-outputs.js'

export const runCommand: Command = { usage: RUN_USAGE, execute: run }

const LONGEST_RUN_S = 86_400

async function run(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, RUN_FLAGS)
  const options = readOptions(args)
  const outputs = readOutputs(args.all('reporter'))
  const folder = args.one('out') ?? 'token-assay-report'
  const reportFile = join(folder, 'report.json')
  const page: Output = { reporter: 'html', file: join(folder, 'index.html') }
  const files = [reportFile, ...[page, ...outputs].flatMap(({ file }) => file ?? [])]
  refuseSharedFiles(files)
  const specification = await specificationWith(args.one('cases'))
  const { target, notes } = await chooseTarget(args)
  const waivers = await readWaivers(args, new Date())
  const streamed = outputs.filter(({ reporter }) => reporter === 'ndjson')
  const stream = createStream(streamed)
  const progress = args.on('quiet') ? undefined : progressOf(args)
  const stop = onStopSignals(() =>
    progress?.note('token-assay: stopping; the partial report is written (once more ends at once)'),
  )
  try {
    const found = await assess(target, args.on('exhaustive'), {
      ...options,
      isKnown: waivers.isKnown,
      specification,
      signal: stop.signal,
      // The last point at which the call can be refused: nothing has been sent yet, and nothing was said.
      onPlan: (plan, start) => {
        prepareFiles([...files, ...waivers.files])
        for (const note of notes) if (!args.on('quiet')) say(note)
        if (target !== undefined) for (const warning of plainHttpWarnings(target)) say(`warning: ${warning}`)
        stream.start(
          start,
          plan.items.map(({ id }) => id),
        )
        progress?.planned(plan.items.length)
      },
      onResult: (result) => {
        stream.result(result)
        progress?.finished(result)
      },
    }).finally(() => progress?.done())
    const strict = options.strict ?? false
    const { report, stale } = waivers.apply(found, strict)
    writeWhole(reportFile, renderJsonPieces(report))
    stream.end(report)
    const rendered = outputs.filter((output) => !streamed.includes(output))
    await writeOutputs([page, ...rendered], report, args)
    const { exitCode } = verdictOf(report.results, report.rules, {
      strict,
      sharded: options.shard !== undefined,
    })
    for (const line of stale) say(`baseline: ${line}`)
    return stop.exitCode() ?? (stale.length > 0 ? 1 : exitCode)
  } finally {
    stop[Symbol.dispose]()
  }
}

/** The suite against the target, or against the embedded server. */
async function assess(target: Target | undefined, exhaustive: boolean, options: RunOptions): Promise<Report> {
  if (target !== undefined) return assessTarget(target, options)
  const { startEmbedded } = await import('./embedded.js')
  const embedded = await startEmbedded(exhaustive)
  try {
    return await assessTarget(embedded.target, options)
  } finally {
    await embedded.close()
  }
}

function progressOf(args: RunArguments): Progress {
  const { isTTY } = process.stderr
  return createProgress(process.stderr, { isTTY, color: useColor(args), now: () => performance.now() })
}

function readOptions(args: RunArguments): RunOptions {
  const number = (name: 'seed' | 'runs' | 'concurrency' | 'max-duration', least: number, most: number) =>
    integerOf(name, args.one(name), least, most)
  const seed = number('seed', -(2 ** 31), 2 ** 31 - 1)
  const runs = number('runs', 1, 1_000_000)
  const concurrency = number('concurrency', 1, 256)
  const maxDurationS = number('max-duration', 1, LONGEST_RUN_S)
  const keepExchanges = readKept(args.one('keep-exchanges'))
  const replay = readReplay(args)
  const shard = readShard(args)
  return {
    only: args.all('only'),
    skip: args.all('skip'),
    deployments: args.all('deployment'),
    strict: args.on('strict'),
    bail: args.on('bail'),
    ...(seed === undefined ? {} : { seed }),
    ...(runs === undefined ? {} : { runs }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxDurationS === undefined ? {} : { maxDurationMs: maxDurationS * 1000 }),
    ...(keepExchanges === undefined ? {} : { keepExchanges }),
    ...(replay === undefined ? {} : { replay }),
    ...(shard === undefined ? {} : { shard }),
  }
}

function readKept(text: string | undefined): RunOptions['keepExchanges'] {
  if (text === undefined || text === 'all' || text === 'failed' || text === 'none') return text
  throw new AssayError('usage', `--keep-exchanges takes all, failed or none, not \`${text}\``)
}

function readShard(args: RunArguments): Shard | undefined {
  const text = args.one('shard')
  if (text === undefined) return undefined
  const shard = parseShard(text)
  if (shard === undefined)
    throw new AssayError('usage', `--shard takes I/N, the I-th of N parts such as 1/4, not \`${text}\``)
  if (args.on('replay'))
    throw new AssayError('usage', '--replay names the one case to run: --shard does not go with it')
  return shard
}

function readReplay(args: RunArguments): Replay | undefined {
  const text = args.one('replay')
  if (text === undefined) return undefined
  const replay = parseReplay(text)
  if (replay === undefined)
    throw new AssayError(
      'usage',
      `--replay takes 'DEPLOYMENT/CASE@SEED:PATH', as a failure prints it, not \`${text}\``,
    )
  if (args.on('only') || args.on('skip'))
    throw new AssayError('usage', '--replay names the one case to run: --only and --skip do not go with it')
  return replay
}

function say(text: string): void {
  process.stderr.write(`token-assay: ${escapeForTerminal(text)}\n`)
}
