import type { Case } from '../../../spec/model/case.js'
import type { AcrossAccounts } from '../../../spec/model/expectation.js'
import { inParallel } from '../../../spec/model/items.js'
import { pointerTo } from '../../../spec/model/json.js'
import type { Judgement, Result } from '../../../spec/model/report.js'
import { baseBindings, type CaseRun, startCase } from '../../drivers/send/session/case-run.js'
import type { SentRequest, Session } from '../../drivers/send/session/session.js'
import { HttpResponse } from '../../exchange/http-response.js'
import { Tally } from '../../judge/tally.js'
import { type CaseId, exercisedBy } from '../../judge/traffic/exercised.js'
import { type Attempt, type AttemptTally, attempt, judgeSteps } from './attempt.js'
import { toResult } from './case-result.js'
import { FailureKinds } from './failure-kinds.js'
import { orderLedger } from './order-ledger.js'
import { repeatTroubled } from './repeat-troubled.js'
import { evidenceOfAll, shownAttempts } from './run-case.js'
import { type Clash, type Ledger, valueLedger } from './value-ledger.js'

/** Own sendings come first; those of another case in the order of the plan. */
const ORDERS_PER_CASE = 1_000_000
const MAX_SHOWN = 5
const PLAIN_LOGIN: CaseId = '4.1/password-grant'

/**
 * A case whose expectations hold of every answer of the deployment that yields a token, whichever case drew it
 * (section 2.1). It also sends its own request many times, for all accounts in turn and several at once.
 */
export class Invariant {
  readonly #run: CaseRun
  readonly #tally: AttemptTally = new Tally()
  readonly #ledgers: readonly { readonly index: number; readonly member: string; readonly ledger: Ledger }[]
  readonly #kinds: FailureKinds
  readonly #counts = new Map<string, number>()
  #first: Attempt | undefined
  #isFailing = false
  #stopped = false
  #durationMs = 0

  constructor(session: Session, testCase: Case) {
    this.#run = startCase(session, testCase)
    this.#kinds = new FailureKinds(testCase)
    const expectations = testCase.steps.flatMap(({ expect = [] }) => expect)
    this.#ledgers = expectations.flatMap(({ rule, acrossAccounts }, index) =>
      acrossAccounts === undefined
        ? []
        : [
            {
              index,
              member: acrossAccounts.member,
              ledger: ledgerOf(rule, acrossAccounts, session.deployment),
            },
          ],
    )
  }

  get testCase(): Case {
    return this.#run.testCase
  }

  /** An answer to another case's request. @param index that case's place in the plan. */
  onResponse(response: SentRequest, caseId: string, index: number): void {
    if (caseId === this.#run.testCase.id || !this.#concerns(response)) return
    const sent = { ...response, label: `${response.label} of ${caseId}`, ofCase: caseId }
    const count = this.#counts.get(caseId) ?? 0
    this.#counts.set(caseId, count + 1)
    const judgements = judgeSteps(this.#run.session, this.#run.testCase, [[sent]])
    const order = (index + 1) * ORDERS_PER_CASE + count
    this.#add({ sent: [sent], judgements, stopped: false }, order)
    for (const { ledger } of this.#ledgers) ledger.record(sent, order)
  }

  #add(attempt: Attempt, order: number): void {
    this.#tally.add(attempt.judgements, () => ({ attempt }), order)
    this.#kinds.add(attempt.judgements, order)
    if (this.#isFailing || attempt.judgements.every(({ outcome }) => outcome !== 'failed')) return
    this.#isFailing = true
    this.#run.session.run.onFailing?.(this.result())
  }

  #concerns({ response, candidate, prepared }: SentRequest): boolean {
    if (!(response instanceof HttpResponse)) return false
    if (this.#run.testCase.invariant === 'registration') return candidate !== undefined
    if (response.yieldsToken) return true
    // A token may be there that cannot be read: nothing else judges the answer where a case asks of a success alone.
    const { accounts, ...deployment } = this.#run.session.deployment
    const known = [...accounts, ...this.#run.session.registeredAccounts.values()]
    const isSuccess = response.status >= 200 && response.status <= 299
    return (
      isSuccess &&
      exercisedBy({ request: prepared.wire }, { ...deployment, accounts: known }).case === PLAIN_LOGIN
    )
  }

  /** Sends its own request as often as the case asks for, by so many workers at once. */
  async sendOwn(workers: number): Promise<void> {
    const startedAt = performance.now()
    const times = this.#times()
    const { accounts } = this.#run.session.deployment
    await inParallel(Array(times).keys(), Math.min(workers, times), async (index) => {
      if (this.#stopped) return
      const run = { ...this.#run, account: accounts[index % accounts.length] ?? accounts[0] }
      const made = await repeatTroubled(run, () =>
        attempt({ ...run, bindings: baseBindings(run, run.testCase.steps) }),
      )
      if (made.stopped) {
        this.#stopped = true
        return
      }
      this.#add(made, index)
      for (const { ledger } of this.#ledgers) for (const sent of made.sent) ledger.record(sent, index)
      if (index === 0) this.#first = made
    })
    this.#durationMs = performance.now() - startedAt
  }

  #times(): number {
    const { runs, session } = this.#run
    return session.refusedAccounts.size > 0 ? Math.min(runs, session.deployment.accounts.length) : runs
  }

  /** One for each expectation; none holds of what no answer has. */
  #judged(): readonly Judgement[] {
    const absent = new Map(
      this.#ledgers.flatMap(({ index, member, ledger }) =>
        ledger.isEmpty() ? [[index, member] as const] : [],
      ),
    )
    return this.#tally.judgements({ isCounted: true }).map((judgement, index) => {
      const member = judgement.outcome === 'passed' ? absent.get(index) : undefined
      if (member === undefined) return this.#kinds.with(judgement, index)
      const reason = `no answer has a string \`${member}\``
      return { rule: judgement.rule, outcome: 'cantTell', reason, pointer: pointerTo('', member) }
    })
  }

  /** What the answers show only together, by the index of the expectation. */
  #clashes(): ReadonlyMap<number, Clash> {
    const judged = this.#tally.judgements()
    return new Map(
      this.#ledgers.flatMap(({ index, ledger }) => {
        const clash = judged[index]?.outcome === 'passed' ? ledger.clash() : undefined
        return clash === undefined ? [] : [[index, clash] as const]
      }),
    )
  }

  /** Nothing more can be said of the service: what has passed so far has not passed for the whole run. */
  downgrade(reason: string): void {
    const judgements = this.#tally
      .judgements()
      .map(({ rule }): Judgement => ({ rule, outcome: 'cantTell', reason }))
    if (judgements.length > 0) this.#add({ sent: [], judgements, stopped: false }, Number.MAX_SAFE_INTEGER)
  }

  /** To be called after the last response. */
  result(): Result {
    const clashes = this.#clashes()
    const failed = Array.from(this.#tally.failures.values(), ({ evidence }) => evidence.attempt.sent).flat()
    const shown =
      clashes.size === 0 && this.#first !== undefined
        ? shownAttempts(this.#tally, this.#first).flatMap(({ sent }) => sent)
        : failed.slice(0, MAX_SHOWN)
    const evidence = new Map(evidenceOfAll(this.#run.testCase, this.#tally))
    for (const [index, { sent }] of clashes)
      evidence.set(index, { sent, about: sent.at(-1), isCompared: true })
    return toResult(
      this.#run,
      {
        judgements: this.#judged().map((judgement, index) => clashes.get(index)?.judgement ?? judgement),
        sent: [...shown, ...Array.from(clashes.values(), ({ sent }) => sent).flat()],
        evidence,
        stopped: this.#stopped,
        runs: this.#tally.size,
      },
      this.#durationMs,
    )
  }
}

function ledgerOf(rule: string, check: AcrossAccounts, { clockSkew }: Session['deployment']): Ledger {
  return check.is === 'in-order' ? orderLedger(rule, check.member, clockSkew) : valueLedger(rule, check)
}
