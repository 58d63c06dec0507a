import { AssayError } from '../../spec/model/assay-error.js'
import { groupBy } from '../../spec/model/items.js'
import type { Json } from '../../spec/model/json.js'
import type { Report, Result, Trouble } from '../../spec/model/report.js'
import { parseShard, type Shard, showShard } from '../../spec/model/selection.js'
import { countResults } from '../../spec/model/summary.js'
import { wasStrict } from '../../spec/model/verdict.js'
import { composeReport } from './compose-report.js'

export interface ShardReport {
  readonly file: string
  readonly report: Report
}

/**
 * Joins the reports of a run's shards into the one that the whole run would have given. Each report must reconcile.
 * @throws AssayError `unmergeable` where they are not all the shards of one run, each once
 */
export function mergeReports(parts: readonly ShardReport[]): Report {
  const [first, ...others] = parts
  if (first === undefined) throw new AssayError('unmergeable', 'there is no report to merge')
  for (const other of others) refuseOtherRun(first, other)
  refuseIncomplete(parts)
  const reports = parts.map(({ report }) => report)
  const results = first.report.results.map((result, at) => pick(result, at, parts))
  const { shard: _, ...selection } = first.report.selection ?? {}
  const { selection: __, ...start } = first.report
  const began = Math.min(...reports.map(({ startedAt }) => Date.parse(startedAt)))
  const ended = Math.max(...reports.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs))
  const deployments = start.target.deployments.map(
    (deployment) => runOf(deployment.name, parts) ?? deployment,
  )
  return composeReport(
    {
      start: {
        ...start,
        target: { ...start.target, deployments },
        startedAt: new Date(began).toISOString(),
        ...(Object.keys(selection).length === 0 ? {} : { selection }),
      },
      durationMs: ended - began,
      rules: first.report.rules,
      results,
      ...joinNumbers(reports, results),
    },
    { strict: isStrict(reports) },
  )
}

type Numbers = Pick<Report, 'observations' | 'limits' | 'trouble' | 'accounts' | 'baseline'>

/** What the shards counted, in the order of the deployments. */
function joinNumbers(reports: readonly Report[], results: readonly Result[]): Numbers {
  const names = reports[0]?.target.deployments.map(({ name }) => name) ?? []
  const inOrder = <T extends { readonly deployment: string }>(of: (report: Report) => readonly T[]): T[] =>
    names.flatMap((name) => reports.flatMap(of).filter(({ deployment }) => deployment === name))
  const baselines = reports.flatMap(({ baseline }) => baseline ?? [])
  const [first] = baselines
  return {
    observations: inOrder(({ observations }) => observations),
    limits: inOrder(({ limits }) => limits),
    trouble: addUpTrouble(inOrder(({ trouble }) => trouble)),
    // A deployment is never divided: its accounts are in one report.
    accounts: inOrder(({ accounts }) => accounts),
    ...(first === undefined
      ? {}
      : {
          baseline: {
            ...first,
            stale: [...new Set(baselines.flatMap(({ stale }) => stale))],
            waived: countResults(results).waived,
          },
        }),
  }
}

/** One row for each deployment: the numbers of its rows added up. */
function addUp<Key extends string>(
  rows: readonly CountRow<Key>[],
  keys: readonly Key[],
): readonly CountRow<Key>[] {
  return Array.from(
    groupBy(rows, ({ deployment }) => deployment),
    ([deployment, own]) => {
      const sums = keys.map((key) => [key, own.reduce((sum, row) => sum + row[key], 0)] as const)
      // Each key is there once.
      return { deployment, ...(Object.fromEntries(sums) as Readonly<Record<Key, number>>) }
    },
  )
}

/** As `addUp`, with what is counted by status and by case, and the fewest failed logins after which one of them was limited. */
function addUpTrouble(rows: readonly Trouble[]): readonly Trouble[] {
  return addUp(rows, TROUBLE).map((sum) => {
    const own = rows.filter(({ deployment }) => deployment === sum.deployment)
    const statuses = addUpByName(own.map((row) => row.statuses))
    const cases = addUpByName(own.map((row) => row.cases))
    const { ended } = own.find((row) => row.ended !== undefined) ?? {}
    const limited = own.flatMap(({ limitedAfterFailedLogins = [] }) => limitedAfterFailedLogins)
    return {
      ...sum,
      ...(statuses === undefined ? {} : { statuses }),
      ...(cases === undefined ? {} : { cases }),
      ...(limited.length === 0 ? {} : { limitedAfterFailedLogins: Math.min(...limited) }),
      ...(ended === undefined ? {} : { ended }),
    }
  })
}

function addUpByName(
  counts: readonly (Readonly<Record<string, number>> | undefined)[],
): Readonly<Record<string, number>> | undefined {
  const sums: Record<string, number> = {}
  for (const [name, times] of counts.flatMap((own) => Object.entries(own ?? {})))
    sums[name] = (sums[name] ?? 0) + times
  return Object.keys(sums).length === 0 ? undefined : sums
}

type CountRow<Key extends string> = { readonly deployment: string } & Readonly<Record<Key, number>>

const TROUBLE = ['requests', 'serverErrors', 'dropped', 'timedOut', 'rateLimited', 'waitedMs'] as const

/** Whether the shards' verdicts were strict: a report does not say so, but where it matters one of them shows it. */
export function isStrict(reports: readonly Report[]): boolean {
  return reports.some(wasStrict)
}

/** What a report must have in common with the first to be of the same run. */
const SAME: readonly (readonly [what: string, of: (report: Report) => unknown])[] = [
  ['version of the suite', ({ suite }) => suite.version],
  ['specification', ({ suite }) => suite.specification],
  ['target', ({ target }) => target.name],
  ['list of deployments', ({ target }) => target.deployments.map(({ name }) => name)],
  [
    'declaration of the deployments',
    ({ target }) => target.deployments.map(({ declared }) => withoutPorts(declared)),
  ],
  ['seed', ({ seed }) => seed],
  ['--effort or --runs', ({ inputs = {} }) => inputs],
  ['selection', ({ selection: { shard: _, ...rest } = {} }) => rest],
  ['plan', ({ plan }) => [plan.hash, plan.planned]],
  ['results', ({ results }) => results.map(({ id }) => id)],
]

/** A server that a run starts for itself listens on another port each time. */
function withoutPorts(declared: Json): string {
  return JSON.stringify(declared).replace(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1')
}

function refuseOtherRun(first: ShardReport, other: ShardReport): void {
  for (const [what, of] of SAME) {
    const [expected, found] = [first, other].map(({ report }) => JSON.stringify(of(report)))
    if (expected === found) continue
    const values =
      (expected ?? '').length + (found ?? '').length < 80 ? `: ${expected} there, ${found} here` : ''
    const hint = what === 'seed' ? '; give every shard the same --seed' : ''
    throw new AssayError(
      'unmergeable',
      `${other.file} is not from the same run as ${first.file}: its ${what} differs${values}${hint}`,
    )
  }
}

function refuseIncomplete(parts: readonly ShardReport[]): void {
  const shards = parts.map(({ file, report }) => ({ file, shard: shardOf(file, report) }))
  const count = shards[0]?.shard.count ?? 0
  const seen = new Map<number, string>()
  for (const { file, shard } of shards) {
    if (shard.count !== count)
      throw new AssayError(
        'unmergeable',
        `${file} is shard ${showShard(shard)}, ${shards[0]?.file} is one of ${count}: these are shards of different runs`,
      )
    const before = seen.get(shard.index)
    if (before !== undefined)
      throw new AssayError('unmergeable', `${file} and ${before} are both shard ${showShard(shard)}`)
    seen.set(shard.index, file)
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !seen.has(index))
  if (missing.length > 0) {
    const names = missing.slice(0, 10).map((index) => showShard({ index, count }))
    throw new AssayError(
      'unmergeable',
      `${missing.length} of ${count} shards ${missing.length === 1 ? 'is' : 'are'} missing: ${names.join(', ')}`,
    )
  }
}

function shardOf(file: string, { selection }: Report): Shard {
  const shard = parseShard(selection?.shard ?? '')
  if (shard === undefined)
    throw new AssayError(
      'unmergeable',
      `${file} is not the report of a shard; \`run --shard I/N\` writes one`,
    )
  return shard
}

/** The result of the shard that ran the case. */
function pick(result: Result, at: number, parts: readonly ShardReport[]): Result {
  const own = parts.flatMap(({ file, report }) => {
    const other = report.results[at]
    return other === undefined || isOfAnotherShard(other) ? [] : [{ file, other }]
  })
  const [one, two] = own
  if (one === undefined)
    throw new AssayError('unmergeable', `no shard ran ${result.id}, although all shards are given`)
  // What is inapplicable or filtered is so in every shard.
  if (two !== undefined && one.other.outcome !== 'inapplicable' && one.other.reason !== 'filtered')
    throw new AssayError('unmergeable', `${one.file} and ${two.file} both ran ${result.id}`)
  return one.other
}

function isOfAnotherShard({ outcome, reason }: Result): boolean {
  return outcome === 'untested' && reason === 'shard'
}

/** A deployment as the shard that ran it reports it: servers that a run starts itself have other ports in each shard. */
function runOf(
  name: string,
  parts: readonly ShardReport[],
): Report['target']['deployments'][number] | undefined {
  const part = parts.find(({ report }) =>
    report.results.some((result) => result.deployment === name && result.exchanges.length > 0),
  )
  return part?.report.target.deployments.find((deployment) => deployment.name === name)
}
