import { isAdvice } from '../../../spec/model/case.js'
import type { AccountCount, Limit, Observation, Result, Trouble } from '../../../spec/model/report.js'
import { type LoginBudgets, limitOf, loginBudgets } from '../../drivers/send/session/budgets.js'
import { explainOutage } from '../../drivers/send/session/control.js'
import type { RunContext } from '../../drivers/send/session/run-context.js'
import { openSession, type SentRequest, type Session } from '../../drivers/send/session/session.js'
import type { TroubleCount } from '../../drivers/send/transport/trouble.js'
import type { Planned } from '../../plan/plan.js'
import type { Deployment } from '../../target/deployment.js'
import { notRun, notTried } from './case-result.js'
import { checkAccounts } from './check-accounts.js'
import { Invariant } from './invariant.js'
import { type HeldResult, isJudgedAgain, judgeHeld } from './judge-again.js'
import type { Observer } from './observer.js'
import { runCase } from './run-case.js'
import { bearsAnyNumber, failedLogins, loginsFor, type RunOne, runUsual } from './run-phase.js'
import { SeenResponses } from './seen-responses.js'

/** What a run finds of one deployment beside its results. */
export interface DeploymentFindings {
  observations?: readonly Observation[]
  limits?: readonly Limit[]
  trouble?: Trouble
  /** Where registration is declared. */
  accounts?: AccountCount
}

/**
 * Runs what is planned for one deployment. What is advice comes after all that gates, in the same way: it changes none of
 * that.
 * @param sibling the deployment that is this one without `userId`
 * @param tell takes each result as it comes
 */
export async function assessDeployment(
  run: RunContext,
  deployment: Deployment,
  planned: readonly Planned[],
  sibling: Deployment | undefined,
  tell: (result: Result) => void,
): Promise<DeploymentFindings> {
  const findings: DeploymentFindings = {}
  for (const item of planned)
    if (item.not !== undefined) tell(notRun(item, item.not.outcome, item.not.reason))
  const toRun = planned.filter((item) => item.not === undefined)
  if (toRun.length === 0) return findings
  const isWhole =
    run.selection.only === undefined &&
    run.selection.skip === undefined &&
    !deployment.cases &&
    run.amounts.isWhole
  // What is narrowed observes nothing.
  const seen = new SeenResponses(isWhole ? run.specification.observations.map(({ of }) => of) : [])
  const { session, invariants } = open(run, deployment, planned, sibling, seen)
  const onResult = (result: Result): void => {
    if (result.outcome === 'untested') session.leftOut.stopped(result.case)
    tell(result)
  }
  const logins = loginBudgets(deployment)
  const held: HeldResult[] = []
  const runOne: RunOne = async (item, allowances) => {
    if (run.signal.aborted) return onResult(notRun(item, 'untested', run.stopReason()))
    const result = await runCase(session, item.case, allowances)
    if (run.amounts.isWhole && result.outcome === 'passed' && isJudgedAgain(item.case))
      held.push({ testCase: item.case, result })
    else onResult(result)
  }
  try {
    const obstacle = await checkAccounts(session)
    if (obstacle !== undefined) {
      const { reason, login } = obstacle
      for (const [index, item] of toRun.entries())
        onResult(notTried(run, item, reason, index === 0 ? login.sent : undefined))
      return findings
    }
    const phases = [toRun.filter((item) => !isAdvice(item.case)), toRun.filter((item) => isAdvice(item.case))]
    for (const [index, items] of phases.entries()) {
      const own = invariants.filter(({ testCase }) => items.some((item) => item.case === testCase))
      await runUsual(session, items, own, runOne)
      const observer = isWhole && index === 0 ? await observerOf(session, logins) : undefined
      const { requests, properties } = failedLogins(session, items, logins, runOne)
      const again = () => judgeHeld(session, held.splice(0), onResult)
      const observe = async () => observer?.send()
      // Where each failed login is one of a new account, the longest chains are no reason to wait.
      if (bearsAnyNumber(session))
        await Promise.all([properties(), requests().then(() => Promise.all([again(), observe()]))])
      else
        await run.inTurn((deployment.accounts.at(-1) ?? deployment.accounts[0]).userName, async () => {
          for (const part of [requests, properties, again, observe]) await part()
        })
      if (observer !== undefined) {
        findings.observations = observer.show(seen)
        await downgradeAfterOutage(session, own)
      }
      for (const invariant of own) onResult(invariant.result())
    }
    const limit = limitOf(deployment, logins.all, loginsForAll(session, toRun, isWhole))
    findings.limits = [...(limit ? [limit] : []), ...session.leftOut.limits(run, deployment.name)]
    return findings
  } finally {
    const { trouble, waitedMs } = session.executor
    findings.trouble = troubleReport(deployment.name, trouble, waitedMs, seen.troubled)
    await session.close()
    if (deployment.registration !== undefined)
      findings.accounts = await (await import('../../drivers/send/session/clean-up.js')).cleanUp(session)
  }
}

/** A session, of which every response is also judged by the invariants. */
function open(
  run: RunContext,
  deployment: Deployment,
  planned: readonly Planned[],
  sibling: Deployment | undefined,
  seen: SeenResponses,
): { readonly session: Session; readonly invariants: readonly Invariant[] } {
  const toRun = planned.filter((item) => item.not === undefined)
  const indexOf = new Map(planned.map((item, index) => [item.case.id, index]))
  const firstCases = new Set(toRun.flatMap(({ isFirst, case: { id } }) => (isFirst ? [id] : [])))
  const onResponse = (sent: SentRequest, caseId: string): void => {
    seen.add(sent, caseId)
    for (const invariant of invariants) invariant.onResponse(sent, caseId, indexOf.get(caseId) ?? 0)
  }
  const session = openSession(run, deployment, sibling, onResponse, firstCases)
  const invariants = toRun.flatMap((item) => (item.case.invariant ? [new Invariant(session, item.case)] : []))
  return { session, invariants }
}

async function observerOf(session: Session, logins: LoginBudgets): Promise<Observer> {
  return new (await import('./observer.js')).Observer(session, logins)
}

/** Where the service is down at the end, what held of all answers is not certain. */
async function downgradeAfterOutage(session: Session, invariants: readonly Invariant[]): Promise<void> {
  const { serverErrors, dropped, timedOut } = session.executor.trouble
  if (serverErrors + dropped + timedOut === 0) return
  const outage = await explainOutage(session)
  if (outage !== undefined) for (const invariant of invariants) invariant.downgrade(outage)
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

function loginsForAll(session: Session, toRun: readonly Planned[], observes: boolean): number {
  const probes = session.run.specification.observations.filter(({ failedLogin }) => failedLogin === true)
  const inCases = loginsFor(
    session,
    toRun.filter((item) => item.case.failedLogin),
  )
  return inCases + (observes ? probes.reduce((sum, { steps }) => sum + steps.length, 0) : 0)
}
