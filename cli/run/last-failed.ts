import { existsSync } from 'node:fs'
import { RECORDED_SECTION } from '../../conformance/evidence/describe.js'
import type { Target } from '../../conformance/target/deployment.js'
import { gateOf } from '../../reports/formats/shared/gate.js'
import { count } from '../../reports/formats/shared/phrase.js'
import { readReport } from '../../reports/model/read-report.js'
import { isRefused } from '../../reports/model/stop-cause.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { type Report, type Result, SEEN } from '../../spec/model/report.js'
import type { Specification } from '../../spec/model/specification.js'
import { wasStrict } from '../../spec/model/verdict.js'
import { reportFiles } from '../shared/report-files.js'
import type { RunArguments } from './run-flags.js'

/** The results to run, or all where `only` is undefined; the notes say why. */
export interface LastFailed {
  readonly only: readonly string[] | undefined
  readonly notes: readonly string[]
}

/** The failures of the last run, from its report: there is no other state, and a report holds no secret. */
export async function lastFailed(
  folder: string,
  specification: Specification,
  target: Target | undefined,
  args: RunArguments,
): Promise<LastFailed> {
  const all = (why: string): LastFailed => ({ only: undefined, notes: [`${why}: running everything`] })
  const whole = reportFiles(folder, false).reportFile
  const narrowed = reportFiles(folder, true).reportFile
  const file = existsSync(whole) || !existsSync(narrowed) ? whole : narrowed
  const planned = await plannedDeployments(target, args)
  const last = readLast(file, narrowed)
  if ('problem' in last) return all(last.problem)
  const { report, partial } = last
  if (isRefused(report)) return all(`the last run did not start (${file})`)
  if (report.target.name !== planned.name)
    return all(`the last report, ${file}, is about ${report.target.name}, not ${planned.name}`)
  const isPlanned = ({ deployment }: Result): boolean => planned.deployments.has(deployment)
  const failing = stillFailing(report, partial)
  const cases = new Set(specification.cases.map(({ id }) => id))
  // Requests of a recording are numbered: the same number in another one is another request.
  const isOfAnother = ({ case: id }: Result): boolean =>
    id.startsWith(`${RECORDED_SECTION}/`) && report.suite.specification !== specification.hash
  const lost = failing.filter(
    (one) => !cases.has(one.case) || !planned.all.has(one.deployment) || isOfAnother(one),
  )
  const failed = failing.filter(isPlanned)
  const missing = failing.length === 0 ? [] : lessStrict([report, partial], specification, args)
  // With a `--deployment` in which nothing failed, all of it is left out.
  refuseOthers(file, failed.length === 0 ? failing : lost, missing)
  if (failed.length === 0) return all(`nothing failed in the last run (${file})`)
  if (failed.some(isOfSomeAnswers)) return all('a failure was seen in some answers alone')
  const noun = count(failed.length, 'result')
  const others = report.results.filter(
    (one) => isPlanned(one) && cases.has(one.case) && failed.some((result) => isComparedWith(result, one)),
  )
  return {
    only: [...new Set([...failed, ...others].map(({ id }) => id))],
    notes: [`running ${noun} that failed or could not be judged before (${file})`],
  }
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
      ? `the last run (${file}) gated on more: it had ${missing.join(', ')}`
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

/** What keeps a run from being green, and what it did not come to. */
export function failingResults(report: Report): readonly Result[] {
  const { effectOf } = gateOf(report)
  return report.results.filter(
    (result) => wasStopped(result) || ['broken', 'inconclusive'].includes(effectOf(result)),
  )
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

/** `--bail`, a limit or a signal came first; what is filtered was not asked for. */
function wasStopped({ outcome, reason }: Result): boolean {
  return outcome === 'untested' && reason !== 'filtered' && reason !== 'shard'
}

/** The failures of the whole run that no later, narrowed run has seen pass, and those of the later one. */
function stillFailing(whole: Report, part: Report | undefined): readonly Result[] {
  const failed = new Map(failingResults(whole).map((result) => [result.id, result]))
  // A quick run may not have tried what failed.
  for (const result of part?.selection?.effort === undefined ? (part?.results ?? []) : []) {
    const before = failed.get(result.id)
    if (before !== undefined && isFixed(before, result)) failed.delete(result.id)
  }
  for (const result of part === undefined ? [] : failingResults(part)) failed.set(result.id, result)
  return [...failed.values()]
}

/** A run of one rule alone says nothing about the other rules of its cases. */
function isFixed(before: Result, now: Result): boolean {
  const passed = new Set(now.judgements.filter(({ outcome }) => outcome === 'passed').map(({ rule }) => rule))
  const open = before.judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  return now.outcome === 'passed' && open.every(({ rule }) => passed.has(rule))
}

type Last = { readonly report: Report; readonly partial: Report | undefined } | { readonly problem: string }

function readLast(file: string, narrowed: string): Last {
  if (!existsSync(file)) return { problem: `there is no report of a last run (${file})` }
  try {
    const report = readReport(file)
    const partial = file !== narrowed && existsSync(narrowed) ? readReport(narrowed) : undefined
    const isLater =
      partial !== undefined &&
      partial.startedAt > report.startedAt &&
      partial.target.name === report.target.name
    return { report, partial: isLater ? partial : undefined }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return { problem: `the report of the last run cannot be read (${error.message})` }
  }
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
