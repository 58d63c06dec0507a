import { isSpent } from '../../drivers/send/session/budgets.js'
import { type CaseRun, newAccountOf, scopeOf } from '../../drivers/send/session/case-run.js'
import type { Scope } from '../../generators/generator.js'
import { MAX_AHEAD } from '../../properties/ahead.js'
import { type Attempt, attempt, countRefusals } from './attempt.js'
import type { Controls } from './controls.js'
import { bindValues, fillLast, type Values, type Variables, variablesOf } from './forall-inputs.js'
import { repeatTroubled } from './repeat-troubled.js'

const GRANTS_AHEAD = 3
/** No account that the suite has registered takes more failed logins. */
const FAILURES_OF_ONE = 2

/** Sends the inputs of a search, each for an account that can take the failed logins which it may be. */
export class InputSender {
  readonly run: CaseRun
  readonly variables: Variables
  readonly scope: Scope
  /** Whether answers that yield a token are expected, and no refusal: then the inputs are valid credentials. */
  readonly areGrants: boolean
  /** How many inputs may be sent before the first of them is answered. */
  readonly ahead: number
  /** They have the accounts that failed logins are of. */
  readonly #controls: Controls
  /** The account changes on the way. */
  #now: CaseRun
  /** For what is sent ahead: an account for every two inputs, which fail one after the other. */
  readonly #ahead: Promise<CaseRun | undefined>[] = []
  #begun = 0

  constructor(run: CaseRun, controls: Controls) {
    this.variables = variablesOf(run.testCase)
    this.scope = scopeOf(run)
    const expected = run.testCase.steps.flatMap(({ expect = [] }) =>
      expect.flatMap(({ yieldsToken }) => yieldsToken ?? []),
    )
    this.areGrants = expected.includes(true) && !expected.includes(false)
    this.ahead = aheadOf(run, this.areGrants)
    // A few at a time are a long chain.
    this.run = this.ahead < MAX_AHEAD ? { ...run, urgency: 'chained' } : run
    this.#now = this.run
    this.#controls = controls
  }

  /** Whether a refusal is a failed login of no account. */
  get isCheap(): boolean {
    return this.run.logins === undefined && !this.areGrants
  }

  /** Whether no further login may fail. */
  get isSpent(): boolean {
    return this.run.logins !== undefined && isSpent(this.run.logins)
  }

  /** Logs in where the account can take no more failed logins in a row. @returns whether something can be sent now */
  async makeReady(): Promise<boolean> {
    if (!this.run.logins?.budget.needsGoodLogin(newAccountOf(this.#now))) return true
    const next = await this.#controls.afterGoodLogin()
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
  send(values: Values, isBrief = false, bound?: CaseRun): Promise<Attempt> {
    return this.#sendFor(this.#now, values, isBrief, bound)
  }

  /** Sends what will be asked for. @returns undefined where there is no account for it */
  async sendAhead(values: Values, bound: CaseRun): Promise<Attempt | undefined> {
    const { logins, testCase } = this.run
    if (logins === undefined || testCase.steps.some(({ register }) => register !== undefined))
      return this.send(values, false, bound)
    const index = this.#begun++
    const place = Math.floor(index / FAILURES_OF_ONE)
    let made: Attempt | undefined
    const before = this.#ahead[place] ?? (place === 0 ? this.run : this.#controls.further())
    const own = (async () => {
      const now = await before
      if (now === undefined) return undefined
      made = await this.#sendFor(now, values, false, now === this.run ? bound : undefined)
      const isLast = index % FAILURES_OF_ONE === FAILURES_OF_ONE - 1
      return !isLast || (await this.#controls.confirm(now)) ? now : undefined
    })()
    this.#ahead[place] = own
    await own
    return made
  }

  /** To be called after the search: whether the last account that was used ahead can still log in. */
  async end(): Promise<void> {
    const runs = await Promise.all(this.#ahead)
    const last = runs.at(-1)
    if (this.#begun % FAILURES_OF_ONE > 0 && last !== undefined && last !== this.run)
      await this.#controls.confirm(last)
  }

  async #sendFor(now: CaseRun, values: Values, isBrief: boolean, bound?: CaseRun): Promise<Attempt> {
    const { logins } = this.run
    let first = now === this.run ? bound : undefined
    const bind = (): CaseRun => {
      const next = first ?? bindValues(now, this.variables, values, scopeOf(now))
      // Whatever is sent again registers another account.
      first = undefined
      return next
    }
    const made = await repeatTroubled(now, () => attempt(bind()), isBrief)
    if (!made.stopped) logins?.budget.failed(countRefusals(made), newAccountOf(now))
    return made
  }
}

/**
 * Any number where each input is a failed login of no account, or of its own; few where they are grants, of which no more
 * are to be refused than an account bears.
 */
function aheadOf(run: CaseRun, areGrants: boolean): number {
  const { logins, testCase } = run
  const isOwn = testCase.steps.some(({ register }) => register !== undefined)
  if (logins !== undefined && Number.isFinite(logins.budget.left)) return 0
  if (logins !== undefined && !isOwn) return newAccountOf(run) === undefined ? 0 : MAX_AHEAD * FAILURES_OF_ONE
  return areGrants && !isOwn ? GRANTS_AHEAD : MAX_AHEAD
}
