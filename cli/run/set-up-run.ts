import type { Report } from '../../spec/model/report.js'
import type { Specification } from '../../spec/model/specification.js'
import {
  type Conflicts,
  profileOf,
  refuseConflicts,
  refuseShardWithoutSeed,
  specificationWith,
} from '../shared/common-flags.js'
import type { Waivers } from '../shared/read-waivers.js'
import { type ReportOutput, reportOutput } from '../shared/report-output.js'
import { PASSWORD } from '../shared/service-arguments.js'
import { waiversOf } from '../shared/waivers.js'
import type { Inputs } from './last-run.js'
import { folderOf, type RUN_FLAGS, type RunArguments } from './run-flags.js'
import type { RunChoice } from './run-outcome.js'
import { type ChosenTarget, chooseTarget } from './run-target.js'

export interface RunSetup extends ChosenTarget {
  readonly specification: Specification
  /** The results that are to run, and the flag that chose them; undefined: all, or what `--only` names. */
  readonly only: readonly string[] | undefined
  readonly chosenBy: NonNullable<Report['selection']>['chosenBy']
  /** What draws again what failed. */
  readonly inputs: Inputs
  readonly isPart: boolean
  readonly output: ReportOutput
  readonly waivers: Waivers
}

const NARROWING = ['only', 'skip', 'deployment', 'replay'] as const

const CONFLICTS: Conflicts<keyof typeof RUN_FLAGS> = [
  ...(['only', 'skip', 'shard', 'last-failed'] as const).map(
    (other) => ['replay', other, '--replay names the one case to run'] as const,
  ),
  ['last-failed', 'only', '--last-failed names the results to run'],
  ['last-failed', 'shard', '--last-failed names the results to run'],
  ['embedded', 'from', '--embedded tests the embedded reference server'],
  ['effort', 'runs', '--effort sets how many inputs each case gets'],
  ['watch', 'password-stdin', `--watch needs the password for each run, so it comes from ${PASSWORD}`],
  ['watch', 'shard', '--watch runs again what failed'],
]

/** The target, and the specification with what was recorded of its clients. */
async function withRecording(
  args: RunArguments,
  base: Specification,
): Promise<ChosenTarget & Pick<RunSetup, 'specification'>> {
  const chosen = await chooseTarget(args)
  const file = args.one('from')
  if (file === undefined || chosen.target === undefined) return { ...chosen, specification: base }
  const { recordedRequests } = await import('../shared/recorded-requests.js')
  const recorded = recordedRequests(base, file, chosen.target.deployments)
  return {
    ...chosen,
    target: recorded.withSecrets(chosen.target),
    notes: [...chosen.notes, ...recorded.notes],
    warnings: [...chosen.warnings, ...recorded.warnings],
    specification: recorded.specification,
  }
}

/**
 * Where the report goes. @param isPart whether only some results are to run
 * @throws AssayError `usage` where an output has the name of another, or of a file that is read
 */
export function outputOf(args: RunArguments, isPart: boolean): ReportOutput {
  const isNarrowed = isPart || args.options.effort === 'quick' || NARROWING.some((name) => args.on(name))
  const others = [args.one('trace') ?? []].flat()
  const read = (['target', 'baseline', 'from'] as const).flatMap((name) => args.one(name) ?? [])
  return reportOutput(args, folderOf(args), { isNarrowed, others, read })
}

/**
 * Reads everything that a run needs. Nothing has been sent then.
 * @param choice the results to run, or all, in place of what `--last-failed` and `--only` choose
 * @throws AssayError for misuse, and for files that cannot be read
 */
export async function setUpRun(args: RunArguments, choice: RunChoice | undefined): Promise<RunSetup> {
  refuseShardWithoutSeed(args)
  refuseConflicts(args, CONFLICTS)
  const { profiles = [], replay } = args.options
  const base = await specificationWith(args.one('cases'), {
    ...args.options,
    // What a report says of a rule of a profile repeats it as it is.
    profiles: [...profiles, ...profileOf(replay?.case)],
  })
  const { target, notes, warnings, specification } = await withRecording(args, base)
  const last =
    choice === undefined && args.on('last-failed')
      ? await (await import('./last-failed.js')).lastFailed(folderOf(args), specification, target, args)
      : { notes: [], only: undefined, ...choice }
  const isPart = last.only !== undefined
  return {
    target,
    notes: [...notes, ...last.notes],
    warnings,
    specification,
    only: last.only ?? args.options.only,
    chosenBy: !isPart ? undefined : choice === undefined ? '--last-failed' : '--watch',
    inputs: last.inputs ?? {},
    isPart,
    output: outputOf(args, isPart),
    waivers: await waiversOf(args),
  }
}
