import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { composeReport, startOf } from '../../../reports/model/compose-report.js'
import { clientSuite } from '../../../spec/load/client-suite.js'
import type { ClientScenario } from '../../../spec/model/client-suite.js'
import { digest } from '../../../spec/model/digest.js'
import { inParallel } from '../../../spec/model/items.js'
import type { Judgement, Report, ReportStart, Result } from '../../../spec/model/report.js'
import { worst } from '../../../spec/model/summary.js'
import { hostAgain, hostClient, type TestedClient } from '../../drivers/host/host-client.js'
import { isSureAnyway } from '../../judge/client/judge-sign-in.js'
import type { ObservedSignIn } from '../../judge/client/observed-sign-in.js'
import { selectionOf, shareOf } from '../../plan/select.js'
import { judgementsOf, renderObserved } from './client-evidence.js'
import { type FailedControl, whatControlsShow } from './controls.js'
import type { ClientOptions } from './options.js'
import { DEPLOYMENT, headOf, openResult, planScenarios } from './plan-scenarios.js'
import { searchAnswers } from './search.js'

/**
 * Holds a client to the contract: every scenario of a service, then generated answers that the contract allows.
 * @throws AssayError where the client cannot be started, or a pattern matches nothing
 */
export async function assessClient(client: TestedClient, options: ClientOptions = {}): Promise<Report> {
  const { replay } = options
  const {
    seed = replay?.found?.seed ?? randomInt(2 ** 31),
    concurrency = 4,
    signal = new AbortController().signal,
  } = options
  // Each call of the client listens to it.
  setMaxListeners(0, signal)
  const begin = performance.now()
  const plan = planScenarios(options)
  const { scenarios, search, requirements } = clientSuite()
  const start = startOfClient(plan, options, seed)
  const own = shareOf(plan, options.shard)
  const notRun = plan.map((scenario) =>
    openResult(scenario, 'untested', own.has(scenario) ? 'stopped' : 'shard'),
  )
  options.onPlan?.({ start, rules: requirements, results: notRun, durationMs: 0 })
  const results = new Map<string, Result>()
  const add = (result: Result): void => {
    results.set(result.case, result)
    options.onResult?.(result)
  }
  const host = { signal, patienceMs: options.patienceMs }
  const controls: ObservedSignIn[] = []
  for (const scenario of scenarios.slice(0, 2)) controls.push(await hostClient(client, scenario, host))
  const why = whatControlsShow(controls)
  const chosen = [...own].filter(({ id }) => id !== search.id)
  const ownSearch = [...own].find(({ id }) => id === search.id)
  const play = async (scenario: ClientScenario): Promise<void> => {
    if (signal.aborted) return
    if (scenario.fetches !== undefined && !options.longRunning)
      return add(openResult(scenario, 'inapplicable', NOT_LONG_RUNNING))
    const known = controls.find((observed) => observed.scenario.id === scenario.id)
    if (known === undefined && why !== undefined) return add(openResult(scenario, 'cantTell', why.reason))
    // Of sessions it is one of several things that are seen.
    if (scenario.timeZone !== undefined && scenario.fetches === undefined && options.inProcess)
      return add(openResult(scenario, 'inapplicable', OWN_TIME_ZONE))
    const observed = known === undefined ? await hostAgain(client, scenario, host) : { ...known, scenario }
    if (typeof observed === 'string') add(openResult(scenario, 'cantTell', observed))
    else if (!signal.aborted) add(resultOf(observed, why, options))
  }
  // What clients keep for all users is seen where no other call overwrites it.
  for (const scenario of chosen.filter(isAlone)) await play(scenario)
  // Those that wait begin first, and leave the processor to others.
  const others = chosen.filter((scenario) => !isAlone(scenario))
  await inParallel(
    others.toSorted((a, b) => Number(mayTakeLong(b)) - Number(mayTakeLong(a))),
    concurrency,
    play,
  )
  if (ownSearch !== undefined && !signal.aborted) {
    const { rules } = ownSearch
    add(
      why === undefined
        ? await searchAnswers(client, {
            ...options,
            ...{ seed, signal, concurrency, rules, failed: failedCases(results) },
          })
        : openResult(ownSearch, 'cantTell', why.reason),
    )
  }
  const all = notRun.map((result) => results.get(result.case) ?? result)
  return composeReport(
    { start, rules: requirements, results: all, durationMs: performance.now() - begin },
    { ...options, sharded: options.shard !== undefined },
  )
}

function startOfClient(
  plan: ReturnType<typeof planScenarios>,
  options: ClientOptions,
  seed: number,
): ReportStart {
  const { name = 'a client', replay } = options
  return startOf({
    specification: digest(clientSuite().requirements),
    target: { name, deployments: [{ name: DEPLOYMENT, baseUrl: '', declared: {} }] },
    startedAt: new Date(),
    seed,
    selection: selectionOf(
      replay === undefined ? options : { ...options, chosenBy: '--replay', only: [replay.case] },
    ),
    plan: { hash: digest(plan.map(({ id, rules }) => [id, rules])), planned: plan.length },
  })
}

function isAlone({ before }: ClientScenario): boolean {
  return before !== undefined
}

function mayTakeLong({ needsPatience, mayWait }: ClientScenario): boolean {
  return (needsPatience ?? mayWait) === true
}

const NOT_LONG_RUNNING =
  'the client signs in once and ends: --long-running is for one that goes on when its token expires'

const OWN_TIME_ZONE =
  'the client runs inside this process, in its time zone: `token-assay client` starts a command in another'

function resultOf(observed: ObservedSignIn, why: FailedControl | undefined, options: ClientOptions): Result {
  const { scenario, end } = observed
  const reproduce = options.reproduce?.(scenario.id)
  const exchanges = renderObserved(observed)
  const judgements = judgementsOf(observed).map((judgement): Judgement => {
    // A script that always ends with 0 may be right otherwise; what a client says of itself is its own word.
    const saysSo = end.reported?.signedIn === true
    const isFailed = judgement.outcome === 'failed'
    const repeat = reproduce === undefined ? {} : { reproduce }
    if (why === undefined || (saysSo && isFailed) || isSureAnyway(judgement))
      return isFailed ? { ...judgement, ...repeat } : judgement
    const isShownHere = why.scenario === scenario.id && !saysSo
    return { rule: judgement.rule, outcome: 'cantTell', reason: why.reason, ...(isShownHere ? repeat : {}) }
  })
  return {
    ...headOf(scenario),
    outcome: worst(judgements.map(({ outcome }) => outcome)) ?? 'untested',
    durationMs: Math.round(observed.durationMs),
    judgements,
    exchanges,
  }
}

function failedCases(results: ReadonlyMap<string, Result>): ReadonlySet<string> {
  return new Set(
    [...results.values()].flatMap((result) => (result.outcome === 'failed' ? [result.case] : [])),
  )
}
