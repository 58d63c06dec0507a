import type { Case } from '../../../spec/model/case.js'
import { type CaseRun, newAccountOf } from '../../drivers/send/session/case-run.js'
import { controlKey, newAccount, plainLogin, sendControl } from '../../drivers/send/session/control.js'
import type { CaseRecord, ControlResult } from '../../drivers/send/session/session.js'

const CONTROL_AGAIN = 'control again'
/** A token that was given where none should be: no control can explain it. */
export const TOKEN_POINTER = '/access_token'
const NO_FURTHER_ACCOUNT =
  'no further account could be registered and logged in, and each can take only two failed logins'

/** The valid requests that are sent around a case: what it sends differs from them by one change. */
export class Controls {
  readonly #run: CaseRun
  readonly #sent: ControlResult[] = []
  /** The account changes on the way where each can take only two failed logins. */
  #now: CaseRun

  constructor(run: CaseRun) {
    this.#run = run
    this.#now = run
  }

  /** Undefined for a case without a control. */
  async send(label: string): Promise<ControlResult | undefined> {
    const { control } = this.#run
    if (control === undefined) return undefined
    const sent = await this.#share(control, label)
    this.#sent.push(sent)
    return sent
  }

  /**
   * The last control. A new account that cannot log in shows nothing where no one can: a service may lock out an address
   * after failed logins, and a registration as the control does not show that.
   */
  async sendAgain({ judgements }: CaseRecord): Promise<ControlResult | undefined> {
    const { control, testCase, session } = this.#run
    const hasFailed = judgements.some((one) => one.outcome === 'failed' && one.pointer !== TOKEN_POINTER)
    if (hasFailed && testCase.failedLogin && control?.steps[0]?.register !== undefined) {
      const login = await plainLogin(session, CONTROL_AGAIN)
      if (login?.problem !== undefined) this.#sent.push(login)
    }
    return this.send(CONTROL_AGAIN)
  }

  /** Logs in between failed logins. @returns the run with the account that can take more; undefined where none can */
  async afterGoodLogin(): Promise<CaseRun | undefined> {
    if (!(await this.confirm(this.#now))) return undefined
    const next = newAccountOf(this.#now) === undefined ? this.#now : await this.further()
    this.#now = next ?? this.#now
    return next
  }

  /** Whether the account can still log in after the failed logins. */
  async confirm(run: CaseRun): Promise<boolean> {
    const { control, testCase } = this.#run
    const between = await this.#logIn(run, control ?? testCase, 'control')
    if (between.problem !== undefined) this.#sent.push(between)
    return between.problem === undefined
  }

  /** The run with a new account. */
  async further(): Promise<CaseRun | undefined> {
    const { account, sent } = await newAccount(this.#run)
    if (account === undefined) {
      const stopped = sent.exchange.failure?.kind === 'stopped'
      this.#sent.push({ sent, problem: NO_FURTHER_ACCOUNT, stopped })
      return undefined
    }
    this.#run.logins?.budget.succeeded()
    return { ...this.#run, account }
  }

  /** Why what the case shows is not certain. */
  get problem(): string | undefined {
    return this.#sent.find(({ problem }) => problem !== undefined)?.problem
  }

  /** The record with the controls before and after what was sent. */
  around(record: CaseRecord): CaseRecord {
    const [before, ...after] = this.#sent.map(({ sent }) => sent)
    return { ...record, sent: [...(before === undefined ? [] : [before]), ...record.sent, ...after] }
  }

  /** A declared account is to log in between any two failed logins: there each case has logins of its own. */
  async #share(control: Case, label: string): Promise<ControlResult> {
    const { session, account, logins } = this.#now
    let isOwn = false
    const own = (): Promise<ControlResult> => {
      isOwn = true
      return this.#logIn(this.#now, control, label)
    }
    const isLogin = control.steps[0]?.register === undefined
    if (isLogin && logins !== undefined && newAccountOf(this.#now) === undefined) return own()
    const key = controlKey(control, account)
    const result = await (label === 'control'
      ? session.controls.before(key, own)
      : session.controls.after(key, own))
    const sent = { ...result.sent, label }
    // What is judged of every answer is judged as if each case had its own: how many share one is chance.
    if (!isOwn) session.onResponse(sent, this.#run.testCase.id)
    return { ...result, sent }
  }

  async #logIn(run: CaseRun, control: Case, label: string): Promise<ControlResult> {
    const login = await sendControl(run, control, label)
    countLogin(run, login)
    return login
  }
}

/** A good login between failed ones ends their row. A refused one is one more, and the account may be locked: it is left alone. */
function countLogin(run: CaseRun, login: ControlResult): void {
  const { session, account, logins } = run
  if (logins === undefined) return
  if (login.problem === undefined) logins.budget.succeeded()
  const status = login.sent.exchange.response?.status ?? 0
  const isRefused = login.problem !== undefined && status >= 400 && status <= 499
  if (!isRefused || session.refusedAccounts.has(account.userName)) return
  logins.budget.failed(1, newAccountOf(run))
  session.refusedAccounts.set(account.userName, login)
}
