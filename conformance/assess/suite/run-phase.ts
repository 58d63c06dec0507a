import { inParallel } from '../../../spec/model/items.js'
import {
  type LoginAllowance,
  type LoginBudget,
  type LoginBudgets,
  maxLogins,
} from '../../drivers/send/session/budgets.js'
import { startCase } from '../../drivers/send/session/case-run.js'
import type { Session } from '../../drivers/send/session/session.js'
import type { Planned } from '../../plan/plan.js'
import type { Invariant } from './invariant.js'
import type { LoginAllowances } from './run-case.js'

export type RunOne = (item: Planned, logins?: LoginAllowances) => Promise<void>

/** Runs the cases that log in well, along with the invariants' own requests; then those that need failed logins, in turn. */
export async function runPhase(
  session: Session,
  items: readonly Planned[],
  invariants: readonly Invariant[],
  logins: LoginBudgets,
  runOne: RunOne,
): Promise<void> {
  const { executor, run } = session
  const usual = items.filter((item) => !item.case.failedLogin && !item.case.invariant)
  // What waits uses no worker: it starts first, along with them.
  const [waiting, working] = partition(usual, ({ case: { steps } }) =>
    steps.some((step) => step.waitMs !== undefined),
  )
  const workers = run.limit.width
  await Promise.all([
    ...waiting.map((item) => runOne(item)),
    ...invariants.map((invariant) => invariant.sendOwn(workers)),
    inParallel(working, workers, (item) => runOne(item)),
  ])
  // What was not asked for in all that came before is asked for because of failed logins.
  if (executor.trouble.rateLimited === 0) executor.failedLogins = () => logins.all.failures
  await runFailedLogins(session, items, logins, runOne)
}

/** The declared budget: whole for the single cases, the rest shared by those that try many inputs. */
async function runFailedLogins(
  session: Session,
  toRun: readonly Planned[],
  { all, declared }: LoginBudgets,
  runOne: RunOne,
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

export function loginsFor(session: Session, items: readonly Planned[]): number {
  return items.reduce((sum, item) => sum + maxLogins(startCase(session, item.case)), 0)
}

/** What passes the test, and the rest. */
function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
