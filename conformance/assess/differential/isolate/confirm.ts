import { PLAIN_LOGIN, probeKey } from '../../../drivers/pair/probe.js'
import { type PairSide, SPENT } from '../../../drivers/pair/service-pair.js'
import type { AnswerView } from '../compare/answer-view.js'
import { compareAnswers } from '../compare/compare-answers.js'
import type { Comparer, Witness } from '../compare/comparer.js'
import { type Discrepancy, discrepanciesOf } from '../compare/discrepancies.js'
import { beyondNoise, type ViewedAnswers } from '../rules/beyond-noise.js'
import type { Cause } from './causes.js'

export interface ConfirmedCause {
  /** Its first witness on which both sides always differ. */
  readonly steady?: Witness
  readonly again: readonly AnswerView[]
  /** Else the first on which the new service alternates. */
  readonly alternating?: Witness
  readonly unconfirmed: readonly Unconfirmed[]
}

export interface Unconfirmed {
  readonly witness: Witness
  readonly why: 'spent' | Trouble
}

interface Trouble {
  readonly side: PairSide
  readonly trouble: string
}

/** Of a cause, so many witnesses are tried. */
const MAX_CONFIRMED = 3
const ROUNDS = 6
/** Behind a load balancer with two versions, so many answers hardly ever come from one. */
const MORE_ROUNDS = 14
/** With fewer answers of each side, nothing is known. */
const MIN_ROUNDS = 2

interface Repeated {
  readonly old: ViewedAnswers[]
  readonly new: ViewedAnswers[]
  readonly problem?: 'spent' | Trouble
}

/** Repeats what was found until it is clear whether both sides differ each time. Each probe is repeated once for all. */
export class Confirmation {
  readonly #comparer: Comparer
  readonly #repeated = new Map<string, Repeated>()

  constructor(comparer: Comparer) {
    this.#comparer = comparer
  }

  /**
   * By its smallest witness, or by the next ones where that is noise or cannot be decided.
   * @param due all that are still to be confirmed: they share the failed logins that are left
   */
  async confirm({ smallest }: Cause, due: readonly Cause[]): Promise<ConfirmedCause> {
    const share = this.#comparer.loginsLeft / Math.max(1, due.filter(mayFail).length)
    const failing = Math.min(ROUNDS, Math.max(MIN_ROUNDS, Math.floor(share)))
    const unconfirmed: Unconfirmed[] = []
    let alternating: Witness | undefined
    const rounds = ({ probe }: Witness): number => (probe.mayFail ? failing : ROUNDS)
    for (const found of smallest.slice(0, MAX_CONFIRMED)) {
      const first = await this.#confirm(found, rounds(found))
      // Where the old service varies in a part of the difference, the rest may count.
      const witness = first === 'noise' ? this.#comparer.withoutNoise(found) : found
      const how = witness === found ? first : await this.#confirm(witness, rounds(witness))
      const again = viewsAt(this.#repeated.get(probeKey(witness.probe))?.new ?? [], witness.discrepancy.step)
      if (how === 'steady') return { steady: witness, again, unconfirmed }
      if (how === 'flaky') alternating ??= witness
      else if (how !== 'noise') unconfirmed.push({ witness, why: how })
    }
    return { ...(alternating && { alternating }), again: [], unconfirmed }
  }

  async #confirm(
    witness: Witness,
    rounds: number,
  ): Promise<'steady' | 'noise' | 'flaky' | 'spent' | Trouble> {
    const { probe, discrepancy } = witness
    const key = probeKey(probe)
    const repeated = this.#repeated.get(key) ?? (await this.#repeat(witness, rounds))
    this.#repeated.set(key, repeated)
    if (repeated.problem !== undefined) return repeated.problem
    const { about, differences } = discrepancy
    const isSuspect = differences.some((one) => this.#comparer.isNoisy(one))
    const first = judgeSteadiness(repeated, discrepancy)
    if (first === 'flaky' || (first === 'steady' && isSuspect))
      for (let round = 0; round < MORE_ROUNDS; round++) {
        // Of two instances that answer by turns, a probe of two requests would always reach the same one.
        if (round % 2 === 1) await this.#comparer.sides.old.ask(PLAIN_LOGIN)
        if ((await this.#ask('old', witness, round, repeated)) !== undefined) break
      }
    const verdict = judgeSteadiness(repeated, discrepancy)
    // The old service has it now and then, too, in whatever answer.
    const isRare =
      /^(?:members|headers)$/.test(about) && differences.every((one) => this.#comparer.isNoisy(one))
    if (verdict === 'steady' || (verdict === 'flaky' && !isRare)) return verdict
    recordNoise(this.#comparer, repeated, discrepancy)
    return judgeNoise(repeated, discrepancy)
  }

  async #repeat(witness: Witness, rounds: number): Promise<Repeated> {
    const repeated: Repeated = { old: [], new: [] }
    for (let round = 0; round < rounds; round++) {
      const old = await this.#ask('old', witness, round, repeated)
      const now = await this.#ask('new', witness, round, repeated)
      if ((old === 'spent' || now === 'spent') && round >= MIN_ROUNDS) break
      const problem = old ?? now
      if (problem !== undefined) return { ...repeated, problem }
    }
    return repeated
  }

  async #ask(
    side: PairSide,
    { probe }: Witness,
    round: number,
    repeated: Repeated,
  ): Promise<'spent' | Trouble | undefined> {
    // Every other round takes new connections, and the second instance of the old service: behind a load balancer, one
    // connection is one instance.
    const isOther = round % 2 === 1
    const role = side === 'old' && isOther ? 'again' : side
    const asked = await this.#comparer.sides[role].ask(probe, isOther)
    if (asked === SPENT) return 'spent'
    const views = this.#comparer.viewsOf(asked)
    if ('trouble' in views) return { side, trouble: views.trouble }
    repeated[side].push({ answers: asked, views })
    return undefined
  }
}

function mayFail({ smallest: [{ probe }] }: Cause): boolean {
  return probe.mayFail
}

function viewsAt(answers: Repeated['old'], step: number): readonly AnswerView[] {
  return answers.flatMap(({ views }) => views[step] ?? [])
}

function judgeSteadiness(
  { old, new: now }: Repeated,
  discrepancy: Discrepancy,
): 'steady' | 'noise' | 'flaky' {
  const { step } = discrepancy
  const views = viewsAt(old, step)
  const [first] = views
  if (first === undefined) return 'steady'
  const isSame = (one: AnswerView, other: AnswerView): boolean =>
    !discrepanciesOf(step, compareAnswers(one, other), one, other).some((own) => overlap(own, discrepancy))
  // The first may lack what two others differ in.
  if (views.some((one, at) => !views.slice(at + 1).every((other) => isSame(one, other)))) return 'noise'
  return viewsAt(now, step).some((view) => isSame(first, view)) ? 'flaky' : 'steady'
}

/** By how many of the new service's answers count beside what varies in the old one. */
function judgeNoise({ old, new: now }: Repeated, discrepancy: Discrepancy): 'steady' | 'noise' | 'flaky' {
  const counting = now.filter((one) => beyondNoise(old, one, discrepancy).length > 0)
  if (counting.length === 0) return 'noise'
  return counting.length === now.length ? 'steady' : 'flaky'
}

function overlap(a: Discrepancy, b: Discrepancy): boolean {
  if (a.about === 'fate' || b.about === 'fate') return a.about === b.about
  return a.differences.some(({ at }) => b.differences.some((own) => own.at === at))
}

function recordNoise(comparer: Comparer, { old }: Repeated, { differences, step }: Discrepancy): void {
  const [first, ...others] = viewsAt(old, step)
  for (const view of first === undefined ? [] : others)
    comparer.addNoise(compareAnswers(first as AnswerView, view), (at) =>
      differences.some((one) => one.at === at),
    )
}
