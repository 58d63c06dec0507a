import { assessTarget } from '../../conformance/assess/assess-target.js'
import type { Target } from '../../conformance/target/deployment.js'
import { resolveScoped } from '../../conformance/target/resolve-scoped.js'
import { readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import { reportingRefusal } from '../shared/refusal.js'
import { repeatedFlags } from '../shared/repeated-flags.js'
import { finishReport } from '../shared/report-output.js'
import { onStopSignals } from '../shared/stop-signals.js'
import { watchDeadline } from '../shared/watchdog/command-thread.js'
import { runEvents } from './run-events.js'
import { namesLeftOf, REPEATED, RUN_FLAGS, RUN_USAGE, type RunArguments } from './run-flags.js'
import type { RunChoice, RunOutcome } from './run-outcome.js'
import { refuseEndpointAsBase } from './run-target.js'
import { outputOf, setUpRun } from './set-up-run.js'

export const command: Command = { flags: RUN_FLAGS, usage: RUN_USAGE, execute }

async function execute(argv: readonly string[]): Promise<number> {
  const args = readArguments(argv, RUN_FLAGS)
  const runOnce = (choice?: RunChoice): Promise<RunOutcome> => {
    const isLastFailed = args.on('last-failed')
    const output = outputOf(args, choice?.only !== undefined || isLastFailed)
    // `--last-failed` reads both reports: where it is refused, they stay.
    return reportingRefusal(output, args, () => run(args, choice), isLastFailed ? [] : [output])
  }
  if (args.on('watch')) return (await import('./watch.js')).watch(args, runOnce)
  const outcome = await runOnce()
  if (args.on('open')) await (await import('./run-outcome.js')).openReport(outcome)
  return outcome.exitCode
}

/** @param choice the results to run, or all, in place of what `--last-failed` and `--only` choose */
async function run(args: RunArguments, choice?: RunChoice): Promise<RunOutcome> {
  const setup = await setUpRun(args, choice)
  const { only, chosenBy, specification, output, waivers, isPart } = setup
  await refuseEndpointAsBase(setup.target?.deployments ?? [])
  const events = await runEvents(args, setup)
  using stop = onStopSignals(() =>
    events.note('token-assay: stopping, then writing the partial report; press again to stop at once'),
  )
  using _deadline = watchDeadline(args.options.maxDurationMs)
  const tested = await targetOrEmbedded(setup.target, args.on('exhaustive'))
  const found = await assessTarget(tested.target, {
    ...args.options,
    ...setup.inputs,
    ...(only === undefined ? {} : { only }),
    ...(chosenBy === undefined ? {} : { chosenBy }),
    command: ['token-assay', 'run', ...args.positionals, ...repeatedFlags(args, RUN_FLAGS, REPEATED)],
    isKnown: waivers.isKnown,
    specification,
    signal: stop.signal,
    ...events.listeners(tested.target),
  }).finally(async () => {
    await tested.close()
    events.done()
  })
  const { strict, shard } = args.options
  const finish = { strict, sharded: shard !== undefined, waivers, ...events.stream }
  // The accounts of the embedded server end with it.
  const made = setup.target === undefined ? { ...found, accounts: [] } : found
  const { report, exitCode } = await finishReport(made, output, args, finish)
  if (report.accounts.some(({ left }) => left !== undefined)) {
    const { accountsOf, keepLeft } = await import('../clean-up/left-accounts.js')
    await keepLeft(accountsOf(report), namesLeftOf(args))
  }
  return { report, exitCode: stop.exitCode() ?? exitCode, pageFile: output.pageFile, isPart }
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
