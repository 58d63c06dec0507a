import { SUITE } from '../../../reports/model/compose-report.js'
import type { Differential, Finding } from '../../../spec/generated/types/differential.js'
import { groupBy } from '../../../spec/model/items.js'
import type { Specification } from '../../../spec/model/specification.js'
import { type PairProbe, PLAIN_LOGIN, probeKey } from '../../drivers/pair/probe.js'
import type { RunOptions } from '../../drivers/send/session/run-context.js'
import { commandLine } from '../../evidence/reproduce.js'
import { planProbes } from './ask/plan-probes.js'
import {
  type ComparedService,
  obstaclesOf,
  openSides,
  type ServiceAccounts,
  serviceName,
} from './ask/service-side.js'
import type { ComparedClient, TriedClients } from './clients/client-trials.js'
import { compareTokens } from './compare/compare-tokens.js'
import { Comparer } from './compare/comparer.js'
import { explore, STOPPED } from './compare/explore.js'
import { type Cause, isolate, sharedHeaders, tokenCause } from './isolate/causes.js'
import { Confirmation } from './isolate/confirm.js'
import { isFailedLogin } from './isolate/request-traits.js'
import { HURTS } from './report/classify.js'
import { findingOf, type ShownFinding } from './report/finding.js'
import { flakyEntry, leftOutNote, noAccountReason, unconfirmedReason } from './report/title.js'

export interface DifferentialOptions {
  /** 32 bits; random unless given. */
  readonly seed?: number
  /** How many requests are generated; default 1000. */
  readonly runs?: number
  /** Requests at the same time, for each service; default 8. */
  readonly concurrency?: number
  /** A second instance of the old service, to measure its noise by. Default: the old service itself. */
  readonly again?: ComparedService
  /** Compares this request alone: a finding of another run. */
  readonly replay?: PairProbe
  /** The words of the command that compares the services again, for the report. */
  readonly command?: readonly string[]
  /** Called before the first request, with the report of a comparison that is stopped there, and what is planned. */
  readonly onBegin?: (nothing: Differential, probes: readonly PairProbe[]) => void
  /** Called for each account that may be at a service, and when it is removed. */
  readonly onAccount?: NonNullable<RunOptions['onAccount']>
  /** Stops the comparison; what was found is reported. */
  readonly signal?: AbortSignal
  readonly specification?: Specification
  /** Whom a difference may break: each signs in with what both sides answer. */
  readonly clients?: readonly ComparedClient[]
}

type FoundDifferences = Required<
  Pick<Differential, 'asked' | 'findings' | 'flaky' | 'inconclusive' | 'notes'>
> &
  Pick<Differential, 'skipped' | 'clients'>

/** Asks both services the same, and reports what clients will notice: each difference by its cause, with the smallest request. */
export async function findDifferences(
  old: ComparedService,
  now: ComparedService,
  options: DifferentialOptions = {},
): Promise<Differential> {
  const startedAt = new Date()
  const begin = performance.now()
  const { again = old, replay, runs = 1000, clients: _, ...given } = options
  const { seed = Math.floor(Math.random() * 2 ** 31) } = given
  const sides = openSides({ old, again, new: now }, { ...given, seed })
  const comparer = new Comparer(sides)
  const reportOf = ({ flaky, inconclusive, notes, ...found }: FoundDifferences): Differential => ({
    schemaVersion: 1,
    suite: SUITE,
    old: { baseUrl: old.deployment.shownBaseUrl, requests: sides.old.requests + sides.again.requests },
    new: { baseUrl: now.deployment.shownBaseUrl, requests: sides.new.requests },
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - begin),
    seed,
    runs,
    verdict:
      found.findings.length > 0
        ? 'different'
        : flaky.length + inconclusive.length > 0
          ? 'inconclusive'
          : 'same',
    ...found,
    ...(options.command === undefined
      ? {}
      : { command: commandLine(options.command, (word) => comparer.redact(word)) }),
    ...comparer.redact({ noise: comparer.noise, flaky, inconclusive: [...new Set(inconclusive)], notes }),
  })
  const sessions = [sides.old.session, sides.new.session] as const
  const probes = replay === undefined ? planProbes(sessions, seed, runs) : [replay]
  options.onBegin?.(reportOf({ ...NOTHING, inconclusive: [STOPPED] }), probes)
  let found: FoundDifferences
  let accounts: readonly ServiceAccounts[] = []
  try {
    const obstacles = await obstaclesOf(sides)
    found =
      obstacles.length === 0
        ? await search(comparer, probes, options)
        : { ...NOTHING, inconclusive: obstacles }
  } finally {
    accounts = await Promise.all(Object.values(sides).map((side) => side.close()))
  }
  const made = accountsByService(accounts)
  return { ...reportOf(found), ...(made.length === 0 ? {} : { accounts: made }) }
}

/** The old service is asked from two sides, which is one service to clean up. */
function accountsByService(accounts: readonly ServiceAccounts[]): NonNullable<Differential['accounts']> {
  const services = groupBy(
    accounts.filter(({ made }) => made > 0),
    ({ deployment, baseUrl }) => JSON.stringify([deployment, baseUrl]),
  )
  return [...services.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.reduce(addAccounts, first),
  )
}

function addAccounts(sum: ServiceAccounts, more: ServiceAccounts): ServiceAccounts {
  const left = [...(sum.left ?? []), ...(more.left ?? [])]
  return {
    ...more,
    ...sum,
    made: sum.made + more.made,
    removed: sum.removed + more.removed,
    cleanUpFailed: sum.cleanUpFailed + more.cleanUpFailed,
    ...(left.length === 0 ? {} : { left }),
  }
}

const NOTHING: FoundDifferences = { asked: 0, findings: [], flaky: [], inconclusive: [], notes: [] }

/** The way of a difference: probes, answers, discrepancies, the smallest request, its cause, confirmation, finding. */
async function search(
  comparer: Comparer,
  probes: readonly PairProbe[],
  { concurrency = 8, replay, clients = [] }: DifferentialOptions,
): Promise<FoundDifferences> {
  const { old } = comparer.sides
  const explored = await explore(comparer, probes, concurrency)
  const { witnesses, answers, leftOut } = explored
  const lacking = (['old', 'new'] as const).filter((role) => comparer.sides[role].lacksAccounts)
  const inconclusive = [
    ...explored.inconclusive,
    ...lacking.map((role) => `${serviceName(role)}: ${noAccountReason(leftOut)}`),
  ]
  const found: ShownFinding[] = []
  const flaky: { title: string; request: string }[] = []

  // The finding on tokens has the plain login as its request.
  const asksForTokens = replay === undefined || probeKey(replay) === probeKey(PLAIN_LOGIN)
  const onTokens = asksForTokens ? await compareTokens(comparer.sides) : undefined
  const known = onTokens && tokenCause(onTokens, witnesses)
  const causes = await isolate(
    comparer,
    witnesses.filter((witness) => !known?.behind.includes(witness)),
  )
  const isShared = sharedHeaders(causes)
  if (known !== undefined)
    found.push(
      await findingOf(
        comparer,
        { cause: known, steady: known.smallest[0], again: [] },
        causes,
        answers,
        isShared,
      ),
    )
  const confirmation = new Confirmation(comparer)
  const ordered = causes.toSorted((a, b) => turnOf(a) - turnOf(b))
  for (const [turn, cause] of ordered.entries()) {
    if (old.run.signal.aborted) break
    const { steady, again, alternating, unconfirmed } = await confirmation.confirm(cause, ordered.slice(turn))
    inconclusive.push(...unconfirmed.map(unconfirmedReason))
    if (steady !== undefined)
      found.push(await findingOf(comparer, { cause, steady, again }, causes, answers, isShared))
    else if (alternating !== undefined) flaky.push(flakyEntry(alternating))
  }
  found.sort((a, b) => rank(a.finding) - rank(b.finding) || b.finding.behind - a.finding.behind)
  return {
    asked: explored.asked,
    ...(await tryClients(comparer, found, clients)),
    flaky,
    inconclusive,
    ...(leftOut > 0 && { skipped: leftOut }),
    notes: leftOut > 0 && lacking.length === 0 ? [leftOutNote(leftOut)] : [],
  }
}

/** When it is confirmed, where few logins may fail: who is let in comes first, then how a failed login is refused. */
function turnOf({ smallest: [first], direction }: Cause): number {
  if (first.discrepancy.about === 'fate' && direction === 'looser') return 0
  return isFailedLogin(first) ? 1 : 2
}

/** The findings with whom they break, those that break the most clients first. */
async function tryClients(
  comparer: Comparer,
  found: readonly ShownFinding[],
  clients: readonly ComparedClient[],
): Promise<Pick<FoundDifferences, 'findings' | 'clients'>> {
  if (clients.length === 0) return { findings: found.map(({ finding }) => finding) }
  // Loaded on demand: the reference server comes with it.
  const { ClientTrials } = await import('./clients/client-trials.js')
  const trials = new ClientTrials(comparer, clients)
  const tried = await trials.of(found.map(({ shown }) => shown))
  const findings = found.map(({ finding }, index) => ({
    ...finding,
    clients: tried.effects[index] as TriedClients,
  }))
  return {
    clients: tried.clients,
    findings: findings.toSorted((a, b) => b.clients.breaks.length - a.clients.breaks.length),
  }
}

/** The worst first. */
const CLASSES: readonly Finding['class'][] = ['breaks', 'both', 'mends', 'silent']

function rank(finding: Finding): number {
  return HURTS.indexOf(finding.hurts) * CLASSES.length + CLASSES.indexOf(finding.class)
}
