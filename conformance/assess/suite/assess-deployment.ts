import { type Case, isAdvice } from '../../../spec/model/case.js'
import { inParallel } from '../../../spec/model/items.js'
import type { AccountCount, Limit, Observation, Result, Trouble } from '../../../spec/model/report.js'
import {
  type LoginAllowance,
  type LoginBudget,
  type LoginBudgets,
  limitOf,
  loginBudgets,
  maxLogins,
} from '../../drivers/send/session/budgets.js'
import { startCase } from '../../drivers/send/session/case-run.js'
import { explainOutage, plainLogin } from '../../drivers/send/session/control.js'
import type { RunContext } from '../../drivers/send/session/run-context.js'
import { openSession, type SentRequest, type Session } from '../../drivers/send/session/session.js'
import { troubleOf } from '../../drivers/send/session/trouble.js'
import type { TroubleCount } from '../../drivers/send/transport/trouble.js'
import type { Planned } from '../../plan/plan.js'
import type { Deployment } from '../../target/deployment.js'
import { notRun, notTried } from './case-result.js'
import { checkAccounts } from './check-accounts.js'
import { Invariant } from './invariant.js'
import { type LoginAllowances, runCase } from './run-case.js'

/** What a run makes of one deployment, as it comes. */
export interface DeploymentEvents {
  readonly onResult: (result: Result) => void
  readonly onObserved: (observations: readonly Observation[]) => void
  readonly onLimits: (limits: readonly Limit[]) => void
  readonly onTrouble: (trouble: Trouble) => void
  /** Only called where registration is declared. */
  readonly onAccounts: (accounts: AccountCount) => void
}

/**
 * Runs what is planned for one deployment: first all cases that log in well, then those that need failed logins, one at a
 * time. What is advice comes after all that gates, in the same way: it changes none of that.
 * @param sibling the deployment that is this one without `userId`
 */
export async function assessDeployment(
  run: RunContext,
  deployment: Deployment,
  planned: readonly Planned[],
  sibling: Deployment | undefined,
  { onResult: report, onObserved, onLimits, onTrouble, onAccounts }: DeploymentEvents,
): Promise<void> {
  const toRun = planned.filter((item) => item.not === undefined)
  for (const item of planned) {
    if (item.not !== undefined) report(notRun(item, item.not.outcome, item.not.reason))
  }
  if (toRun.length === 0) return
  // What is narrowed observes nothing.
  const { only, skip } = run.selection
  const isWhole = only === undefined && skip === undefined && deployment.cases === undefined
  const observed = new Set(isWhole ? run.specification.observations.map(({ of }) => of) : [])
  const firstResponses = new Map<string, SentRequest>()
  const resent: string[] = []
  const troubled = new Map<string, number>()
  const logins = loginBudgets(deployment)
  const indexOf = new Map(planned.map((item, index) => [item.case.id, index]))
  const onResponse = (sent: SentRequest, caseId: string): void => {
    if (observed.has(caseId) && !firstResponses.has(caseId) && !SET_UP.includes(sent.label))
      firstResponses.set(caseId, sent)
    if (sent.exchange.resent !== undefined) resent.push(sent.exchange.resent.why)
    if (troubleOf(sent) !== undefined) troubled.set(caseId, (troubled.get(caseId) ?? 0) + 1)
    for (const invariant of invariants) invariant.onResponse(sent, caseId, indexOf.get(caseId) ?? 0)
  }
  const firstCases = new Set(toRun.flatMap(({ isFirst, case: { id } }) => (isFirst ? [id] : [])))
  const session = openSession(run, deployment, sibling, onResponse, firstCases)
  const onResult = (result: Result): void => {
    if (result.outcome === 'untested') session.leftOut.stopped(result.case)
    report(result)
  }
  const invariants = toRun
    .filter((item) => item.case.invariant)
    .map((item) => new Invariant(session, item.case))
  const [adviceInvariants, gatingInvariants] = partition(invariants, ({ testCase }) => isAdvice(testCase))
  const [advice, gating] = partition(toRun, (item) => isAdvice(item.case))
  const held: { readonly item: Planned; readonly result: Result }[] = []
  const runOne = async (item: Planned, logins?: LoginAllowances): Promise<void> => {
    if (run.signal.aborted) return onResult(notRun(item, 'untested', run.stopReason()))
    const result = await runCase(session, item.case, logins)
    if (result.outcome === 'passed' && isJudgedAgain(item.case)) held.push({ item, result })
    else onResult(result)
  }
  const runAll = async (items: readonly Planned[], own: readonly Invariant[]): Promise<void> => {
    const usual = items.filter((item) => !item.case.failedLogin && !item.case.invariant)
    // What waits uses no worker: it starts first, beside them.
    const [waiting, working] = partition(usual, ({ case: { steps } }) =>
      steps.some((step) => step.waitMs !== undefined),
    )
    const workers = run.limit.width
    await Promise.all([
      ...waiting.map((item) => runOne(item)),
      ...own.map((invariant) => invariant.sendOwn(workers)),
      inParallel(working, workers, (item) => runOne(item)),
    ])
    // What was not asked for in all that came before is asked for because of failed logins.
    if (session.executor.trouble.rateLimited === 0) session.executor.failedLogins = () => logins.all.failures
    await runFailedLogins(session, items, logins, runOne)
    const again = held.length > 0 && (await canLogIn(session))
    await inParallel(held.splice(0), workers, async ({ item, result }) =>
      onResult(again && !run.signal.aborted ? await judgeAgain(session, item.case, result) : result),
    )
  }
  try {
    const obstacle = await checkAccounts(session)
    if (obstacle !== undefined) {
      for (const [index, item] of toRun.entries())
        onResult(notTried(run, item, obstacle.reason, index === 0 ? obstacle.login.sent : undefined))
      return
    }
    await runAll(gating, gatingInvariants)
    if (isWhole) {
      const { observe } = await import('./observe.js')
      onObserved(await observe(session, { firstResponses, resent }, logins))
      const outage = await explainOutage(session)
      if (outage !== undefined) for (const invariant of gatingInvariants) invariant.downgrade(outage)
    }
    for (const invariant of gatingInvariants) onResult(await invariant.result())
    if (advice.length > 0) await runAll(advice, adviceInvariants)
    for (const invariant of adviceInvariants) onResult(await invariant.result())
    const limit = limitOf(deployment, logins.all, loginsForAll(session, toRun, isWhole))
    onLimits([...(limit === undefined ? [] : [limit]), ...session.leftOut.limits(run, deployment.name)])
  } finally {
    const { trouble, waitedMs } = session.executor
    onTrouble(troubleReport(deployment.name, trouble, waitedMs, troubled))
    await session.close()
    if (deployment.registration !== undefined)
      onAccounts(await (await import('../../drivers/send/session/clean-up.js')).cleanUp(session))
  }
}

/**
 * What is sent once is judged once more at the end of the run, when the service has refused hundreds of requests. Its
 * control tells whether the account can still log in.
 */
function isJudgedAgain({ control, forall, failedLogin, invariant, steps }: Case): boolean {
  const isPlain = steps.every(
    ({ waitMs, concurrency, property }) =>
      waitMs === undefined && concurrency === undefined && property === undefined,
  )
  return control !== undefined && forall === undefined && !failedLogin && invariant === undefined && isPlain
}

/** Whether no account has been locked on the way, as far as one login tells. */
async function canLogIn(session: Session): Promise<boolean> {
  if (session.refusedAccounts.size > 0 || session.run.signal.aborted) return false
  const login = await plainLogin(session, 'control')
  return login !== undefined && login.problem === undefined
}

/** The result of the second time where that fails; an inconclusive one takes nothing from the first. */
async function judgeAgain(session: Session, testCase: Case, before: Result): Promise<Result> {
  const again = await runCase(session, testCase, undefined, { isAgain: true })
  if (again.outcome !== 'failed') return before
  const judgements = again.judgements.map((judgement) =>
    judgement.outcome === 'failed'
      ? { ...judgement, message: `${judgement.message} (at the end of the run; before, it was right)` }
      : judgement,
  )
  return { ...again, judgements }
}

function troubleReport(
  deployment: string,
  count: TroubleCount,
  waitedMs: number,
  cases: ReadonlyMap<string, number>,
): Trouble {
  const { requests, serverErrors, dropped, timedOut, rateLimited, statuses, limitedAfterFailedLogins } = count
  return {
    deployment,
    requests,
    serverErrors,
    dropped,
    timedOut,
    rateLimited,
    waitedMs: Math.round(waitedMs),
    ...(statuses.size === 0 ? {} : { statuses: Object.fromEntries(statuses) }),
    ...(cases.size === 0 ? {} : { cases: Object.fromEntries(cases) }),
    ...(limitedAfterFailedLogins === undefined ? {} : { limitedAfterFailedLogins }),
  }
}

/** Labels of what is sent around a case. */
const SET_UP: readonly string[] = ['control', 'control again', 'set-up', 'prepare']

/** The declared budget: whole for the single cases, the rest shared by those that try many inputs. */
async function runFailedLogins(
  session: Session,
  toRun: readonly Planned[],
  { all, declared }: LoginBudgets,
  runOne: (item: Planned, logins: LoginAllowances) => Promise<void>,
): Promise<void> {
  const [properties, requests] = partition(
    toRun.filter((item) => item.case.failedLogin),
    ({ case: { steps } }) => steps.some(({ property }) => property !== undefined),
  )
  const [many, single] = partition(requests, (item) => item.case.forall !== undefined)
  const allowance = (budget: LoginBudget, item: Planned, later: readonly Planned[]): LoginAllowance => {
    const [own, rest] = [shares([item]), shares(later)]
    // Infinity has no shares.
    const reserve = Number.isFinite(budget.left) ? Math.ceil((budget.left * rest) / (rest + own)) : 0
    // One is left to each, so that no rule goes without a judgement for a share of less than one.
    return { budget, reserve: Math.min(reserve, loginsFor(session, later), Math.max(budget.left - 1, 0)) }
  }
  for (const item of single)
    await runOne(item, { all: allowance(all, item, []), declared: allowance(declared, item, []) })
  for (const [index, item] of many.entries()) {
    const later = [...many.slice(index + 1), ...properties]
    await runOne(item, {
      all: allowance(all, item, later),
      declared: allowance(
        declared,
        item,
        later.filter((other) => other.case.account === 'throwaway'),
      ),
    })
  }
  for (const item of properties)
    await runOne(item, { all: allowance(all, item, []), declared: allowance(declared, item, []) })
}

function shares(items: readonly Planned[]): number {
  return items.reduce((sum, { case: { failedLoginShare = 1 } }) => sum + failedLoginShare, 0)
}

function loginsFor(session: Session, items: readonly Planned[]): number {
  return items.reduce((sum, item) => sum + maxLogins(startCase(session, item.case)), 0)
}

function loginsForAll(session: Session, toRun: readonly Planned[], observes: boolean): number {
  const probes = session.run.specification.observations.filter(({ failedLogin }) => failedLogin === true)
  const inCases = loginsFor(
    session,
    toRun.filter((item) => item.case.failedLogin),
  )
  return inCases + (observes ? probes.reduce((sum, { steps }) => sum + steps.length, 0) : 0)
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
