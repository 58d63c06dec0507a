import type { Case } from '../../../../spec/model/case.js'
import type { Limit } from '../../../../spec/model/report.js'
import { holdsCredentials, pairsOf } from '../../../exchange/form-pairs.js'
import type { Deployment } from '../../../target/deployment.js'

/** On the last declared account, unless `maxFailedLogins` says otherwise. */
export const DEFAULT_MAX = 20
/** Between two good logins. */
const MAX_IN_A_ROW = 3
/** On an account that the suite has registered, in all: no lock-out begins so early. */
const MAX_ON_NEW_ACCOUNT = 2

/**
 * How many failed logins a deployment may still see. A service may lock accounts: at most so many in all, at most three in
 * a row on a declared account before a good one, and at most two on an account that the suite has registered.
 */
export class LoginBudget {
  readonly #max: number
  readonly #within: LoginBudget | undefined
  readonly #maxInARow: number
  readonly #byNewAccount = new Map<string, number>()
  readonly #notTried = new Map<string, number>()
  #failures = 0
  #inARow = 0

  /** @param within a budget that this one is a part of */
  constructor(max: number, within?: LoginBudget, maxInARow = MAX_IN_A_ROW) {
    this.#max = max
    this.#maxInARow = maxInARow
    this.#within = within
  }

  get left(): number {
    return Math.min(this.#max - this.#failures, this.#within?.left ?? Number.POSITIVE_INFINITY)
  }

  get failures(): number {
    return this.#failures
  }

  /** What was left out, with the number of failed logins that it would have taken. */
  get notTried(): ReadonlyMap<string, number> {
    return this.#notTried
  }

  /** @param newAccount the user name, where it is that of an account that the suite has registered */
  needsGoodLogin(newAccount?: string): boolean {
    return newAccount === undefined ? this.#inARow >= this.#maxInARow : !this.mayFail(newAccount)
  }

  /** Whether one more login may fail on an account that the suite has registered. */
  mayFail(newAccount: string): boolean {
    return (this.#byNewAccount.get(newAccount) ?? 0) < MAX_ON_NEW_ACCOUNT
  }

  failed(times: number, newAccount?: string): void {
    this.#failures += times
    this.#inARow += times
    if (newAccount !== undefined)
      this.#byNewAccount.set(newAccount, (this.#byNewAccount.get(newAccount) ?? 0) + times)
    this.#within?.failed(times)
  }

  succeeded(): void {
    this.#inARow = 0
    this.#within?.succeeded()
  }

  /** @param what a case, or an observation */
  leaveOut(what: string, logins: number): void {
    this.#notTried.set(what, (this.#notTried.get(what) ?? 0) + logins)
    this.#within?.leaveOut(what, logins)
  }
}

/** Of a sequence, each of its commands; of another property as many as any has needed. */
const LOGINS_OF = { sequence: 12, property: 2.4 }

/** No case with all its inputs takes more failed logins, unless it finds something. */
export function maxLogins({
  testCase: { steps, forall },
  runs,
}: {
  readonly testCase: Case
  readonly runs: number
}): number {
  const property = steps.find((step) => step.property !== undefined)?.property
  if (property !== undefined)
    return Math.ceil(runs * LOGINS_OF[property === 'account-sequences' ? 'sequence' : 'property'])
  return forall === undefined
    ? steps.filter(({ send }) => send !== undefined && !holdsCredentials(pairsOf(send.form) ?? [])).length
    : runs
}

/** A budget as one case may use it: so many of what is left are for later cases. */
export interface LoginAllowance {
  readonly budget: LoginBudget
  readonly reserve: number
}

/** @param needed failed logins that are sent without asking again */
export function isSpent({ budget, reserve }: LoginAllowance, needed = 1): boolean {
  return budget.left - reserve < needed
}

/** The budget of a deployment, and the part of it that its declared accounts bear. */
export interface LoginBudgets {
  readonly all: LoginBudget
  readonly declared: LoginBudget
}

/** Where accounts can be registered, each bears its two: there need be no limit over all. */
export function loginBudgets({
  maxFailedLogins,
  registration,
}: Pick<Deployment, 'maxFailedLogins' | 'registration'>): LoginBudgets {
  const all = new LoginBudget(
    maxFailedLogins ?? (registration === undefined ? DEFAULT_MAX : Number.POSITIVE_INFINITY),
  )
  return { all, declared: new LoginBudget(maxFailedLogins ?? DEFAULT_MAX, all) }
}

/**
 * What the budget left out, for the report; undefined where that is nothing.
 * @param enough a number of failed logins that all of it can be tried with
 */
export function limitOf(
  { name, maxFailedLogins = DEFAULT_MAX }: Pick<Deployment, 'name' | 'maxFailedLogins'>,
  { notTried, failures }: LoginBudget,
  enough: number,
): Limit | undefined {
  if (notTried.size === 0) return undefined
  const missing = [...notTried.values()].reduce((sum, logins) => sum + logins, 0)
  return {
    deployment: name,
    setting: 'maxFailedLogins',
    declared: maxFailedLogins,
    needed: Math.max(enough, failures + missing),
    notTried: [...notTried].map(([what, logins]) => (logins === 1 ? what : `${what}: ${logins} logins`)),
  }
}
