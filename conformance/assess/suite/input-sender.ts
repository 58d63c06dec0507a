import { isSpent } from '../../drivers/send/session/budgets.js'
import { type CaseRun, newAccountOf, scopeOf } from '../../drivers/send/session/case-run.js'
import type { Scope } from '../../generators/generator.js'
import { MAX_AHEAD } from '../../properties/ahead.js'
import { type Attempt, attempt, countRefusals } from './attempt.js'
import { bindValues, fillLast, type Values, type Variables, variablesOf } from './forall-inputs.js'
import { repeatTroubled } from './repeat-troubled.js'

/** Logs in, and gives the run with the account that can take failed logins now; undefined where none can. */
export type AfterGoodLogin = () => Promise<CaseRun | undefined>

const GRANTS_AHEAD = 3

/** Sends the inputs of a search, each for an account that can take the failed logins which it may be. */
export class InputSender {
  readonly run: CaseRun
  readonly variables: Variables
  readonly scope: Scope
  /** Whether answers that yield a token are expected, and no refusal: then the inputs are valid credentials. */
  readonly areGrants: boolean
  readonly #afterGoodLogin: AfterGoodLogin
  /** The account changes on the way. */
  #now: CaseRun

  constructor(run: CaseRun, afterGoodLogin: AfterGoodLogin) {
    this.run = run
    this.#now = run
    this.variables = variablesOf(run.testCase)
    this.scope = scopeOf(run)
    const expected = run.testCase.steps.flatMap(({ expect = [] }) =>
      expect.flatMap(({ yieldsToken }) => yieldsToken ?? []),
    )
    this.areGrants = expected.includes(true) && !expected.includes(false)
    this.#afterGoodLogin = afterGoodLogin
  }

  /** Whether a refusal is a failed login of no account. */
  get isCheap(): boolean {
    return this.run.logins === undefined && !this.areGrants
  }

  /**
   * How many inputs may be sent before the first of them is answered: any number where each is a failed login of no
   * account, or of its own; few where they are grants, of which no more are to be refused than an account bears.
   */
  get ahead(): number {
    const { logins, testCase } = this.run
    const isOwn = testCase.steps.some(({ register }) => register !== undefined)
    if (logins !== undefined && (!isOwn || Number.isFinite(logins.budget.left))) return 0
    return this.areGrants && !isOwn ? GRANTS_AHEAD : MAX_AHEAD
  }

  /** Whether no further login may fail. */
  get isSpent(): boolean {
    return this.run.logins !== undefined && isSpent(this.run.logins)
  }

  /** Logs in where the account can take no more failed logins in a row. @returns whether something can be sent now */
  async makeReady(): Promise<boolean> {
    if (!this.run.logins?.budget.needsGoodLogin(newAccountOf(this.#now))) return true
    const next = await this.#afterGoodLogin()
    this.#now = next ?? this.#now
    return next !== undefined
  }

  /** The case with these values for the first account; its last request is spelled out. */
  bind(values: Values): CaseRun {
    return fillLast(bindValues(this.run, this.variables, values, this.scope))
  }

  /**
   * @param isBrief while a counterexample is made smaller
   * @param bound what `bind` gave for these values
   */
  async send(values: Values, isBrief = false, bound?: CaseRun): Promise<Attempt> {
    const { logins } = this.run
    const now = this.#now
    let first = now === this.run ? bound : undefined
    const bind = (): CaseRun => {
      const next = first ?? bindValues(now, this.variables, values, scopeOf(now))
      // Whatever is sent again registers another account.
      first = undefined
      return next
    }
    const made = await repeatTroubled(now, () => attempt(bind()), isBrief)
    if (!made.stopped) logins?.budget.failed(countRefusals(made), newAccountOf(this.#now))
    return made
  }
}
