import type { Case } from '../../../spec/model/case.js'
import { type CaseRun, newAccountOf } from '../../drivers/send/session/case-run.js'
import { newAccount, sendControl } from '../../drivers/send/session/control.js'
import type { CaseRecord, ControlResult } from '../../drivers/send/session/session.js'

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
    const sent = await this.#logIn(control, label)
    this.#sent.push(sent)
    return sent
  }

  /** Logs in between failed logins. @returns the run with the account that can take more; undefined where none can */
  readonly afterGoodLogin = async (): Promise<CaseRun | undefined> => {
    const { control, testCase, logins } = this.#run
    const between = await this.#logIn(control ?? testCase, 'control')
    if (between.problem !== undefined) {
      this.#sent.push(between)
      return undefined
    }
    if (newAccountOf(this.#now) === undefined) return this.#now
    const { account, sent } = await newAccount(this.#now)
    if (account === undefined) {
      const stopped = sent.exchange.failure?.kind === 'stopped'
      this.#sent.push({ sent, problem: NO_FURTHER_ACCOUNT, stopped })
      return undefined
    }
    this.#now = { ...this.#now, account }
    logins?.budget.succeeded()
    return this.#now
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

  async #logIn(control: Case, label: string): Promise<ControlResult> {
    const login = await sendControl(this.#now, control, label)
    countLogin(this.#now, login)
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
