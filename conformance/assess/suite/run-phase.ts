import { inParallel } from '../../../spec/model/items.js'
import {
  type LoginAllowance,
  LoginBudget,
  type LoginBudgets,
  maxLogins,
} from '../../drivers/send/session/budgets.js'
import { startCase } from '../../drivers/send/session/case-run.js'
import type { Session } from '../../drivers/send/session/session.js'
import type { Planned } from '../../plan/plan.js'
import type { Invariant } from './invariant.js'
import type { LoginAllowances } from './run-case.js'

export type RunOne = (item: Planned, logins?: LoginAllowances) => Promise<void>

/** Runs the cases that log in well, along with the invariants' own requests. */
export async function runUsual(
  session: Session,
  items: readonly Planned[],
  invariants: readonly Invariant[],
  runOne: RunOne,
): Promise<void> {
  const usual = items.filter((item) => !item.case.failedLogin && !item.case.invariant)
  // What waits uses no worker: it starts first, along with them.
  const [waiting, working] = partition(usual, ({ case: { steps } }) =>
    steps.some((step) => step.waitMs !== undefined),
  )
  // Single requests first, for an early verdict; then the longest, so that none is left alone at the end.
  const inOrder = working.toSorted((a, b) => lengthOf(session, b) - lengthOf(session, a))
  const [long, short] = partition(inOrder, (item) => lengthOf(session, item) > 0)
  await Promise.all([
    ...waiting.map((item) => runOne(item)),
    ...invariants.map((invariant) => invariant.sendOwn(session.run.limit.width)),
    inParallel([...short, ...long], casesAtOnce(session), (item) => runOne(item)),
  ])
}

/** More than requests: a case that waits for a control that others share has none in flight. Where that is 1, one by one. */
export function casesAtOnce({ run: { limit } }: Session): number {
  return 2 * limit.width - 1
}

/** How many requests follow one another; 0 for a case that sends no more than a few. */
function lengthOf(session: Session, { case: testCase }: Planned): number {
  return testCase.forall === undefined ? 0 : startCase(session, testCase).runs * testCase.steps.length
}

/** The cases that need failed logins, for after all others. */
export interface FailedLogins {
  /** Runs those that say what they send. */
  readonly requests: () => Promise<unknown>
  /** Runs those whose requests no case can say. */
  readonly properties: () => Promise<unknown>
}

/** The declared budget: whole for the single cases, the rest shared by those that try many inputs. */
export function failedLogins(
  session: Session,
  toRun: readonly Planned[],
  { all, declared }: LoginBudgets,
  runOne: RunOne,
): FailedLogins {
  const { executor } = session
  // What was not asked for in all that came before is asked for because of failed logins.
  if (executor.trouble.rateLimited === 0) executor.failedLogins = () => all.failures
  const [properties, requests] = partition(
    toRun.filter((item) => item.case.failedLogin),
    ({ case: { steps } }) => steps.some(({ property }) => property !== undefined),
  )
  const [spare, needed] = partition(requests, (item) => item.case.spare === true)
  const [many, single] = partition(needed, (item) => item.case.forall !== undefined)
  const allowance = (budget: LoginBudget, item: Planned, later: readonly Planned[]): LoginAllowance => {
    const [own, rest] = [shares([item]), shares(later)]
    // Infinity has no shares.
    const reserve = Number.isFinite(budget.left) ? Math.ceil((budget.left * rest) / (rest + own)) : 0
    // One is left to each, so that no rule goes without a judgement for a share of less than one.
    return { budget, reserve: Math.min(reserve, loginsFor(session, later), Math.max(budget.left - 1, 0)) }
  }
  const whole = (item: Planned): LoginAllowances => ({
    all: allowance(all, item, []),
    declared: allowance(declared, item, []),
  })
  const inTurn = (items: readonly Planned[], allowed: (item: Planned) => LoginAllowances): Promise<unknown> =>
    inParallel(items, 1, (item) => runOne(item, allowed(item)))
  if (bearsAnyNumber(session)) {
    const own = (item: Planned): LoginAllowances => {
      // Of a case that registers what it logs in with, no two failures are of one account.
      const inARow = item.case.account === 'throwaway' ? undefined : Number.POSITIVE_INFINITY
      return {
        ...whole(item),
        all: { budget: new LoginBudget(Number.POSITIVE_INFINITY, all, inARow), reserve: 0 },
      }
    }
    const sideBySide = (items: readonly Planned[]): Promise<unknown> =>
      inParallel(items, casesAtOnce(session), (item) => runOne(item, own(item)))
    const longestFirst = single.toSorted((a, b) => b.case.steps.length - a.case.steps.length)
    const [onNew, onDeclared] = partition([...many, ...longestFirst, ...spare], isOnNewAccount)
    return {
      requests: () => Promise.all([sideBySide(onNew), inTurn(onDeclared, whole)]),
      properties: () => sideBySide(properties),
    }
  }
  const inOrder = [...many, ...spare]
  const shared = (item: Planned): LoginAllowances => {
    const later = [...inOrder.slice(inOrder.indexOf(item) + 1), ...properties]
    const onDeclared = later.filter((other) => other.case.account === 'throwaway')
    return { all: allowance(all, item, later), declared: allowance(declared, item, onDeclared) }
  }
  return {
    requests: () => inTurn(single, whole).then(() => inTurn(inOrder, shared)),
    properties: () => inTurn(properties, whole),
  }
}

/** Each case has new accounts of its own for its failed logins: none uses up what another one needs. */
export function bearsAnyNumber({ deployment: { registration, maxFailedLogins } }: Session): boolean {
  return registration?.immediate === true && maxFailedLogins === undefined
}

function isOnNewAccount({ case: { account, steps } }: Planned): boolean {
  return (
    account === 'throwaway' || steps.some(({ register, property }) => (register ?? property) !== undefined)
  )
}

function shares(items: readonly Planned[]): number {
  return items.reduce((sum, { case: { failedLoginShare = 1 } }) => sum + failedLoginShare, 0)
}

export function loginsFor(session: Session, items: readonly Planned[]): number {
  return items.reduce((sum, item) => sum + maxLogins(startCase(session, item.case)), 0)
}

/** What passes the test, and the rest. */
export function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
