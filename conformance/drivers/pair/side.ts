import type { AccountCount } from '../../../spec/model/report.js'
import { type Attempt, attempt, countRefusals } from '../../assess/suite/attempt.js'
import { checkAccounts } from '../../assess/suite/check-accounts.js'
import { bindValues, variablesOf } from '../../assess/suite/forall-inputs.js'
import { probeBindings } from '../../assess/suite/observe.js'
import type { Account, Deployment, Target } from '../../target/deployment.js'
import { type LoginBudgets, loginBudgets } from '../send/session/budgets.js'
import { type CaseRun, newAccountOf, scopeOf, startCase } from '../send/session/case-run.js'
import { cleanUp } from '../send/session/clean-up.js'
import { caseAccount, plainLogin } from '../send/session/control.js'
import { createRunContext, type RunContext, type RunOptions } from '../send/session/run-context.js'
import { openSession, type Session } from '../send/session/session.js'
import type { Probe } from './probe.js'

/** `again`: the old side a second time, to measure what differs from itself. */
export type Role = 'old' | 'again' | 'new'

/** What one side made of a probe. */
export interface Asked extends Attempt {
  readonly run: CaseRun
}

/** No more failed logins are allowed. */
export const SPENT = 'spent'

/** One of the services while it is asked. */
export class Side {
  readonly role: Role
  readonly session: Session
  readonly logins: LoginBudgets
  #throwaway: Account | undefined

  constructor(role: Role, session: Session, logins: LoginBudgets) {
    this.role = role
    this.session = session
    this.logins = logins
  }

  get run(): RunContext {
    return this.session.run
  }

  /** Why nothing can be compared: it cannot be reached, or no one can sign in. */
  async obstacle(): Promise<string | undefined> {
    return (await checkAccounts(this.session))?.reason
  }

  /** @param fresh on connections of its own */
  async ask(probe: Probe, fresh = false): Promise<Asked | typeof SPENT> {
    const start = startCase(this.session, probe.testCase)
    const account = await this.#accountFor(start, probe)
    if (account === SPENT) return SPENT
    const bare: CaseRun = { ...start, account, freshConnections: fresh }
    const base = { ...bare, bindings: probeBindings(bare) }
    const variables = variablesOf(probe.testCase)
    const bound = variables.length === 0 ? base : bindValues(base, variables, probe.values, scopeOf(base))
    const run = { ...bound, bindings: { ...base.bindings, ...bound.bindings } }
    const made = await attempt(run)
    if (probe.mayFail) this.#budgetFor(run).failed(countRefusals(made), newAccountOf(run))
    return { ...made, run }
  }

  /** Failed logins that may still be. */
  get left(): number {
    return this.#isOwn ? this.logins.all.left : this.logins.declared.left
  }

  async close(): Promise<AccountCount | undefined> {
    await this.session.close()
    this.run.end()
    return this.session.deployment.registration === undefined ? undefined : cleanUp(this.session)
  }

  /** Accounts of its own can be had: nothing that happens to them matters. */
  get #isOwn(): boolean {
    return this.session.deployment.registration?.immediate === true
  }

  #budgetFor(run: CaseRun) {
    return newAccountOf(run) === undefined ? this.logins.declared : this.logins.all
  }

  async #accountFor(start: CaseRun, { mayFail, testCase }: Probe): Promise<Account | typeof SPENT> {
    if (!mayFail && testCase.account !== 'throwaway') return start.account
    const needed = testCase.steps.length
    if (mayFail && this.left < needed) return SPENT
    if (!this.#isOwn) {
      const last = this.session.deployment.accounts.at(-1) ?? start.account
      if (mayFail && this.logins.declared.needsGoodLogin()) await this.#goodLogin(last)
      return last
    }
    const { all } = this.logins
    const known = this.#throwaway
    if (known !== undefined && !all.needsGoodLogin(known.userName)) return known
    this.#throwaway = await caseAccount({ ...start, testCase: { ...testCase, account: 'throwaway' } })
    return this.#throwaway
  }

  async #goodLogin(account: Account): Promise<void> {
    const login = await plainLogin(this.session, 'control', account)
    if (login?.problem === undefined) this.logins.declared.succeeded()
    else this.session.refusedAccounts.set(account.userName, login)
  }
}

export interface SideOptions extends Pick<RunOptions, 'seed' | 'signal' | 'specification' | 'concurrency'> {
  /** The other side with the same service shares its budget. */
  readonly logins?: LoginBudgets
}

export function openSide(role: Role, target: Target, deployment: Deployment, options: SideOptions): Side {
  const { logins, ...rest } = options
  const run = createRunContext({ ...target, deployments: [deployment] }, { ...rest, keepExchanges: 'none' })
  return new Side(
    role,
    openSession(run, deployment, undefined, () => undefined),
    logins ?? loginBudgets(deployment),
  )
}
