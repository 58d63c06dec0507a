import { assessTarget, neededDeployments } from '../../conformance/assess/assess-target.js'
import { secretWarnings, vocabularyOf } from '../../conformance/evidence/describe.js'
import type { Deployment, Target } from '../../conformance/target/deployment.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import { renderJsonPieces } from '../../reports/formats/json.js'
import { escapeForTerminal } from '../../reports/formats/shared/escape.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { verdictOf } from '../../spec/model/verdict.js'
import { readArguments } from '../shared/arguments.js'
import { type Command, EXIT, withoutOutput } from '../shared/command.js'
import { profileOf, refuseShardWithoutSeed, specificationWith, waiversOf } from '../shared/common-flags.js'
import { assertWritable, refuseSharedFiles, writeAtomic } from '../shared/files.js'
import {
  type Output,
  readOutputs,
  reportFiles,
  useColor,
  whereLine,
  writeEach,
  writeOutputs,
  writesConsole,
} from '../shared/outputs.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { createProgress, type Progress } from './progress.js'
import type { Choice, Ran } from './ran.js'
import { folderOf, RUN_FLAGS, RUN_USAGE, type RunArguments } from './run-flags.js'
import { chooseTarget, PASSWORD } from './run-target.js'

const NARROWING = ['only', 'skip', 'deployment', 'replay'] as const

export const runCommand: Command = {
  usage: RUN_USAGE,
  execute: async (argv) => {
    const args = readArguments(argv, RUN_FLAGS)
    refuseConflicts(args)
    if (args.on('watch')) return (await import('./watch.js')).watch(args, (choice) => run(args, choice))
    const ran = await run(args)
    if (args.on('open')) await (await import('./ran.js')).openReport(ran)
    return ran.exitCode
  },
}

/** @param choice the results to run, or all, in place of what `--last-failed` and `--only` choose */
async function run(args: RunArguments, choice?: Choice): Promise<Ran> {
  const outputs = readOutputs(args.all('reporter'))
  const { profiles = [], replay } = args.options
  const specification = await specificationWith(args.one('cases'), {
    ...args.options,
    // What a report says of a rule of a profile repeats it as it is.
    profiles: [...profiles, ...profileOf(replay?.case)],
  })
  const { target, notes, warnings } = await chooseTarget(args)
  const folder = folderOf(args)
  const last =
    choice === undefined && args.on('last-failed')
      ? await (await import('./last-failed.js')).lastFailed(folder, specification, target, args)
      : { only: choice?.only, notes: [] }
  const only = last.only ?? args.options.only
  const { reportFile, pageFile } = reportFiles(
    folder,
    last.only !== undefined || NARROWING.some((name) => args.on(name)),
  )
  const page: Output = { reporter: 'html', file: pageFile }
  const files = [reportFile, ...[page, ...outputs].flatMap(({ file }) => file ?? [])]
  refuseSharedFiles(files)
  const waivers = await waiversOf(args)
  const streamed = outputs.filter(({ reporter }) => reporter === 'ndjson')
  const stream =
    streamed.length === 0 ? undefined : (await import('./report-stream.js')).createReportStream(streamed)
  const progress = args.on('quiet') ? undefined : progressOf(args)
  const stop = onStopSignals(() =>
    progress?.note('token-assay: stopping, then writing the partial report; press again to stop at once'),
  )
  try {
    const tested = await targetOrEmbedded(target, args.on('exhaustive'))
    const found = await assessTarget(tested.target, {
      ...args.options,
      ...(only === undefined ? {} : { only }),
      isKnown: waivers.isKnown,
      specification,
      signal: stop.signal,
      // The last point at which the call can be refused: nothing has been sent or printed yet.
      onPlan: (plan, start) => {
        assertWritable([...files, ...waivers.files])
        for (const note of [...notes, ...last.notes]) if (!args.on('quiet')) print(note)
        const { secrets } = tested.target
        for (const warning of [...warnings, ...secretWarnings(secrets, vocabularyOf(specification))])
          print(`warning: ${warning}`)
        // Not of the embedded server: its accounts end with it.
        if (target !== undefined && !args.on('quiet'))
          for (const line of accountLines(neededDeployments(plan, target))) print(line)
        stream?.start(
          start,
          plan.items.map(({ id }) => id),
        )
        progress?.planned(plan.items.length)
      },
      onRequest: () => progress?.sent(),
      onWait: (wait) => progress?.waiting(wait),
      onResult: (result) => {
        stream?.result(result)
        progress?.finished(result)
      },
    }).finally(async () => {
      await tested.close()
      progress?.done()
    })
    const { strict = false, shard } = args.options
    const { report, stale, save } = waivers.apply(found, strict)
    const kept = await writeEach([
      save,
      () => writeAtomic(reportFile, renderJsonPieces(report)),
      () => stream?.end(report),
    ])
    const rendered = outputs.filter((output) => !streamed.includes(output))
    const shown = await writeOutputs([page, ...rendered], report, args)
    for (const line of stale) print(`baseline: ${line}`)
    if (writesConsole(outputs) && !args.on('quiet')) process.stdout.write(whereLine(page.file))
    const { exitCode } = verdictOf(report.results, report.rules, { strict, sharded: shard !== undefined })
    const code = stale.length > 0 ? EXIT.nonconformant : exitCode
    return {
      report,
      exitCode: stop.exitCode() ?? (kept && shown ? code : withoutOutput(code)),
      pageFile,
      isPart: last.only !== undefined,
    }
  } finally {
    stop[Symbol.dispose]()
  }
}

/** Pairs of flags that do not go together, and why. */
const CONFLICTS = [
  ...(['only', 'skip', 'shard', 'last-failed'] as const).map(
    (other) => ['replay', other, '--replay names the one case to run'] as const,
  ),
  ['last-failed', 'only', '--last-failed names the results to run'],
  ['last-failed', 'shard', '--last-failed names the results to run'],
  ['watch', 'password-stdin', `--watch needs the password for each run, so it comes from ${PASSWORD}`],
  ['watch', 'shard', '--watch runs again what failed'],
] as const

/** @throws AssayError `usage` for flags that do not go together */
function refuseConflicts(args: RunArguments): void {
  refuseShardWithoutSeed(args)
  for (const [flag, other, why] of CONFLICTS)
    if (args.on(flag) && args.on(other))
      throw new AssayError('usage', `${why}: it cannot be used with --${other}`)
}

/** The target with what ends it: the one that was chosen, or the embedded server. */
async function targetOrEmbedded(
  target: Target | undefined,
  exhaustive: boolean,
): Promise<{ readonly target: Target; readonly close: () => Promise<void> }> {
  if (target !== undefined) return { target, close: async () => undefined }
  const { startEmbedded } = await import('../../reference/embedded/embedded-servers.js')
  const servers = await startEmbedded(exhaustive)
  return { target: resolveScoped(servers), close: () => servers.close() }
}

/** What the user should know before the first account is registered. */
function accountLines(deployments: readonly Deployment[]): readonly string[] {
  return deployments.flatMap(({ shownBaseUrl, registration }) => {
    if (registration === undefined) return []
    const end =
      registration.cleanUp === undefined
        ? 'no cleanUp is declared, so they stay'
        : 'cleanUp removes them at the end'
    return [`registers accounts at ${shownBaseUrl}: ${end}`]
  })
}

function progressOf(args: RunArguments): Progress {
  const { isTTY } = process.stderr
  return createProgress(process.stderr, { isTTY, color: useColor(args), now: () => performance.now() })
}

function print(text: string): void {
  process.stderr.write(`token-assay: ${escapeForTerminal(text)}\n`)
}
