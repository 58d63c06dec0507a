import { RECORDED_SECTION } from '../../conformance/evidence/describe.js'
import type { Target } from '../../conformance/target/deployment.js'
import { count } from '../../reports/formats/shared/phrase.js'
import { isRefused } from '../../reports/model/stop-cause.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Report, type Result, SEEN } from '../../spec/model/report.js'
import type { Specification } from '../../spec/model/specification.js'
import { wasStrict } from '../../spec/model/verdict.js'
import { drawsAgain, type Inputs, type LastFailure, readLastRun, stillFailing } from './last-run.js'
import type { RunArguments } from './run-flags.js'

/** The results to run, or all where `only` is undefined; the notes say why. */
export interface LastFailed {
  readonly only: readonly string[] | undefined
  /** What draws the same inputs again. */
  readonly inputs?: Inputs
  readonly notes: readonly string[]
}

/**
 * The failures of the last run, to be shown again by what showed them.
 * @throws AssayError `usage` where this command would not judge what failed
 */
export async function lastFailed(
  folder: string,
  specification: Specification,
  target: Target | undefined,
  args: RunArguments,
): Promise<LastFailed> {
  const all = (why: string): LastFailed => ({ only: undefined, notes: [`${why}: running everything`] })
  const planned = await plannedDeployments(target, args)
  const last = readLastRun(folder)
  if (typeof last === 'string') return all(last)
  const { file, report, later } = last
  if (isRefused(report)) return all(`the last run did not start (${file})`)
  if (report.target.name !== planned.name)
    return all(`the last report, ${file}, is about ${report.target.name}, not ${planned.name}`)
  const isPlanned = ({ deployment }: Result): boolean => planned.deployments.has(deployment)
  const failures = stillFailing(last)
  const failing = failures.map(({ result }) => result)
  const cases = new Set(specification.cases.map(({ id }) => id))
  // Requests of a recording are numbered: the same number in another one is another request.
  const isOfAnother = ({ case: id }: Result): boolean =>
    id.startsWith(`${RECORDED_SECTION}/`) && !specification.hash.startsWith(report.suite.specification)
  const lost = failing.filter(
    (one) => !cases.has(one.case) || !planned.all.has(one.deployment) || isOfAnother(one),
  )
  const mine = failures.filter(({ result }) => isPlanned(result))
  const missing = failing.length === 0 ? [] : lessStrict([report, later], specification, args)
  // With a `--deployment` in which nothing failed, all of it is left out.
  refuseOthers(file, mine.length === 0 ? failing : lost, missing)
  if (mine.length === 0) return all(`nothing failed in the last run (${file})`)
  const inputs = inputsThatDraw(mine, args)
  const failed = mine.map(({ result }) => result)
  if (failed.some(isOfSomeAnswers)) return { ...all('a failure was seen in some answers alone'), inputs }
  const noun = count(failed.length, 'result')
  const others = report.results.filter(
    (one) => isPlanned(one) && cases.has(one.case) && failed.some((result) => isComparedWith(result, one)),
  )
  return {
    only: [...new Set([...failed, ...others].map(({ id }) => id))],
    inputs,
    notes: [`running ${noun} that failed or could not be judged before (${file})`],
  }
}

/**
 * What draws again all that failed: the inputs of its run, but for the flags of this command.
 * @throws AssayError `usage` where that draws other inputs
 */
function inputsThatDraw(failures: readonly LastFailure[], { options }: RunArguments): Inputs {
  const drawn = failures.filter(({ isDrawn }) => isDrawn)
  const [first] = [...drawn, ...failures]
  const { seed, ...amounts } = first?.inputs ?? {}
  const own = ownInputs(options)
  const isOwnAmount = 'effort' in own || 'runs' in own
  // A quick run says so by its flags, as it is not whole; any other tries what it tried.
  const inputs = {
    ...(seed === undefined ? {} : { seed }),
    ...(isOwnAmount || amounts.effort === 'quick' ? {} : amounts),
    ...own,
  }
  if (drawn.every((one) => drawsAgain(inputs, one))) return inputs
  const runs = [...new Set(drawn.map((one) => flagsOf(one.inputs)))]
  const remedy = 'repeat them by their --replay, or run everything again without --last-failed'
  throw new AssayError(
    'usage',
    runs.length > 1
      ? `--last-failed: what failed was drawn by several runs (${runs.join('; ')}): ${remedy}`
      : `--last-failed: what failed was drawn by ${runs.join()}: give these flags, or none of them`,
  )
}

function ownInputs({ seed, effort, runs }: RunArguments['options']): Inputs {
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(effort === undefined ? {} : { effort }),
    ...(runs === undefined ? {} : { runs }),
  }
}

function flagsOf({ seed, effort, runs }: Inputs): string {
  const amounts = [
    ...(effort === undefined ? [] : [`--effort ${effort}`]),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ]
  return [`--seed ${seed}`, ...(amounts.length > 0 ? amounts : ['without --effort and --runs'])].join(' ')
}

/**
 * A green of other cases, or by other rules, would be taken for one of what failed.
 * @throws AssayError `usage` where what failed is not what this command would judge
 */
function refuseOthers(file: string, lost: readonly Result[], missing: readonly string[]): void {
  const [first] = lost
  if (first === undefined && missing.length === 0) return
  const why =
    first === undefined
      ? `the last run (${file}) had ${missing.join(', ')}`
      : `${count(lost.length, 'result')} that failed last (${file}) cannot be run with these flags and this target: ${lost.length > 1 ? `the first is ${first.id}` : first.id}`
  throw new AssayError(
    'usage',
    `--last-failed: ${why}. Give the target, --deployment, --cases, --from, --profile, --gate and --strict of the last run, or run without --last-failed`,
  )
}

/** Some judgements are made under --strict alone: no verdict shows that it was given. */
const STRICT = / --strict(?: |$)/

/** The flags by which the last run gated on more than this one does. */
function lessStrict(
  reports: readonly (Report | undefined)[],
  { advice }: Specification,
  args: RunArguments,
): readonly string[] {
  const gates = new Set(advice?.profiles?.flatMap((profile) => (profile.gates ? [profile.name] : [])))
  const missing = reports.flatMap((report) => {
    if (report === undefined) return []
    const { profiles = [] } = report
    return [
      ...profiles.flatMap(({ name, gates: gated }) => (gated && !gates.has(name) ? [`--gate ${name}`] : [])),
      ...(!args.on('strict') && (wasStrict(report) || STRICT.test(report.command ?? '')) ? ['--strict'] : []),
    ]
  })
  return [...new Set(missing)]
}

/**
 * What is judged of every answer, and fails in some alone (`seen in 5 of 700`), may rest on what other cases do; where one of
 * them drew the answer there is no `replay`.
 */
function isOfSomeAnswers({ judgements }: Result): boolean {
  return judgements.some(
    ({ outcome, replay, reason = '' }) =>
      outcome === 'failed' && (replay === undefined || reason.startsWith(SEEN)),
  )
}

/** Whether a failure compares an answer of another case: its request is labelled with that case. */
function isComparedWith({ deployment, exchanges, judgements }: Result, other: Result): boolean {
  const failed = judgements.filter(({ outcome }) => outcome === 'failed')
  const labels = failed.flatMap((one) => (one.exchanges ?? []).flatMap((at) => exchanges[at]?.label ?? []))
  return deployment === other.deployment && labels.some((label) => label.endsWith(` of ${other.case}`))
}

interface Planned {
  readonly name: string
  readonly all: ReadonlySet<string>
  /** Those that `--deployment` names, or all. */
  readonly deployments: ReadonlySet<string>
}

async function plannedDeployments(target: Target | undefined, args: RunArguments): Promise<Planned> {
  const chosen = args.options.deployments
  const named = (names: readonly string[]): Omit<Planned, 'name'> => ({
    all: new Set(names),
    deployments: new Set(names.filter((name) => chosen === undefined || chosen.includes(name))),
  })
  if (target !== undefined) return { name: target.name, ...named(target.deployments.map(({ name }) => name)) }
  const { embeddedDeployments, exhaustiveDeployments } = await import(
    '../../reference/embedded/embedded-deployments.js'
  )
  const { EMBEDDED } = await import('../../reference/embedded/embedded-servers.js')
  const settings = args.on('exhaustive') ? exhaustiveDeployments() : embeddedDeployments()
  return { name: EMBEDDED, ...named([...settings.keys()]) }
}
