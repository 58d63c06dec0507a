import type { Result } from '../../spec/types.js'
import type { Planned } from '../plan.js'
import { baseBindings } from '../session/bindings.js'
import type { Sent, Session } from '../session/session.js'
import { Answer } from '../wire/answer.js'
import { type Attempt, attemptCase, judgeSteps } from './attempt.js'
import { toResult } from './case-result.js'
import { shownAttempts } from './run-case.js'
import { Tally } from './tally.js'
import { type Clash, ValueLedger } from './value-ledger.js'

/** Own sendings come first; those of another case in the order of the plan. */
const ORDERS_PER_CASE = 1_000_000
const MOST_SHOWN = 5

/**
 * A case whose expectations hold of every answer of the deployment that yields a token, whichever case drew it
 * (section 2.1). It also sends its own request many times, for all accounts in turn and several at once.
 */
export class Invariant {
  readonly #planned: Planned
  readonly #session: Session
  readonly #tally = new Tally()
  readonly #ledgers: readonly { readonly index: number; readonly ledger: ValueLedger }[]
  readonly #heard = new Map<string, number>()
  #first: Attempt | undefined
  #stopped = false
  #durationMs = 0

  constructor(session: Session, planned: Planned) {
    this.#session = session
    this.#planned = planned
    const expectations = planned.case.steps.flatMap(({ expect = [] }) => expect)
    this.#ledgers = expectations.flatMap(({ rule, acrossAccounts }, index) =>
      acrossAccounts === undefined ? [] : [{ index, ledger: new ValueLedger(rule, acrossAccounts) }],
    )
  }

  /** An answer to another case's request. @param index that case's place in the plan. */
  hear(sent: Sent, caseId: string, index: number): void {
    if (caseId === this.#planned.case.id || !this.#concerns(sent)) return
    const heard = this.#heard.get(caseId) ?? 0
    this.#heard.set(caseId, heard + 1)
    const judgements = judgeSteps(this.#session, this.#planned.case, [[sent]])
    const order = (index + 1) * ORDERS_PER_CASE + heard
    this.#tally.add({ sent: [sent], judgements, stopped: false }, order)
    for (const { ledger } of this.#ledgers) ledger.record(sent, order)
  }

  #concerns({ answer, candidate }: Sent): boolean {
    if (!(answer instanceof Answer)) return false
    return this.#planned.case.invariant === 'registration' ? candidate !== undefined : answer.yieldsToken
  }

  /** Sends its own request so many times, `lanes` at once. */
  async sendOwn(times: number, lanes: number): Promise<void> {
    const startedAt = performance.now()
    const { accounts } = this.#session.deployment
    let next = 0
    const lane = async (): Promise<void> => {
      for (let index = next++; index < times && !this.#stopped; index = next++) {
        const account = accounts[index % accounts.length] ?? accounts[0]
        const bindings = baseBindings(this.#session, this.#planned.case, account)
        const attempt = await attemptCase(this.#session, this.#planned.case, bindings, account)
        if (attempt.stopped) this.#stopped = true
        else {
          this.#tally.add(attempt, index)
          for (const { ledger } of this.#ledgers) for (const sent of attempt.sent) ledger.record(sent, index)
          if (index === 0) this.#first = attempt
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(lanes, times) }, lane))
    this.#durationMs = performance.now() - startedAt
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

  /** Once nothing more will be heard. */
  result(seed: number): Result {
    const { failures } = this.#tally
    const clashes = this.#clashes()
    const failed = failures.flatMap(({ attempt }) => attempt.sent)
    const shown =
      clashes.size === 0 && this.#first !== undefined
        ? shownAttempts(this.#tally, this.#first).flatMap(({ sent }) => sent)
        : failed.slice(0, MOST_SHOWN)
    const evidence = [...clashes.values()].flatMap(({ sent }) => sent)
    return toResult(
      this.#session,
      this.#planned,
      {
        judgements: this.#tally
          .judgements(true)
          .map((judgement, index) => clashes.get(index)?.judgement ?? judgement),
        sent: [...shown, ...evidence],
        failing: failures[0]?.attempt.sent.at(-1) ?? evidence.at(-1),
        stopped: this.#stopped,
        runs: this.#tally.attempts,
      },
      this.#durationMs,
      () => seed,
    )
  }
}
