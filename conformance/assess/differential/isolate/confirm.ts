import { type PairSide, SPENT } from '../../../drivers/pair/service-pair.js'
import { type AnswerView, viewsOf } from '../compare/answer-view.js'
import { compareAnswers } from '../compare/compare-answers.js'
import type { Comparer } from '../compare/comparer.js'
import { type Discrepancy, discrepanciesOf } from '../compare/discrepancies.js'
import type { Witness } from '../compare/explore.js'
import type { CauseGroup } from './cause-group.js'
import type { SmallestWitness } from './shrink.js'

/** How a group turns out. */
export interface ConfirmedGroup {
  /** Its first witness on which both sides always differ. */
  readonly steady?: SmallestWitness
  /** Else the first on which the new service alternates. */
  readonly alternating?: SmallestWitness
  readonly unconfirmed: readonly Unconfirmed[]
}

/** A witness that could not be confirmed, and why. */
export interface Unconfirmed {
  readonly witness: Witness
  readonly why: 'spent' | Trouble
}

interface Trouble {
  readonly side: PairSide
  readonly trouble: string
}

/** How a discrepancy turns out when its probe is repeated. */
type Confirmation =
  | 'steady'
  /** The old service differs from itself. */
  | 'noise'
  /** The new service alternates between two answers. */
  | 'flaky'
  /** The budget of failed logins was used up first. */
  | 'spent'
  | Trouble

/** Of a group, so many witnesses are tried. */
const MAX_CONFIRMED = 3

const ROUNDS = 6
/** Behind a load balancer with two versions, so many answers hardly ever come from one. */
const MORE_ROUNDS = 14
/** With fewer answers of each side, nothing is known. */
const MIN_ROUNDS = 2

/** Confirms a group by its smallest witness, or by the next ones where that is noise or cannot be decided. */
export async function confirmGroup(
  comparer: Comparer,
  { smallest, others }: CauseGroup,
): Promise<ConfirmedGroup> {
  const unconfirmed: Unconfirmed[] = []
  let alternating: SmallestWitness | undefined
  for (const witness of [smallest, ...others].slice(0, MAX_CONFIRMED)) {
    const how = await confirm(comparer, witness)
    if (how === 'steady') return { steady: witness, unconfirmed }
    if (how === 'flaky') alternating ??= witness
    else if (how !== 'noise') unconfirmed.push({ witness, why: how })
  }
  return { ...(alternating && { alternating }), unconfirmed }
}

/** Repeats a probe on both sides until it is clear whether they differ each time. */
async function confirm(comparer: Comparer, { probe, discrepancy }: Witness): Promise<Confirmation> {
  const answers: Readonly<Record<PairSide, AnswerView[]>> = { old: [], new: [] }
  const repeat = async (side: PairSide, round: number): Promise<Confirmation | undefined> => {
    const asked = await comparer.pair.repeat(side, probe, round)
    if (asked === SPENT) return 'spent'
    const views = viewsOf(asked)
    if ('trouble' in views) return { side, trouble: views.trouble }
    const view = views[discrepancy.step]
    if (view !== undefined) answers[side].push(view)
    return undefined
  }
  for (let round = 0; round < ROUNDS; round++) {
    const [old, now] = [await repeat('old', round), await repeat('new', round)]
    if ((old === 'spent' || now === 'spent') && round >= MIN_ROUNDS) break
    const problem = old ?? now
    if (problem !== undefined) return problem
  }
  const isSuspect = discrepancy.differences.some((one) => comparer.isNoisy(one))
  const first = judgeSteadiness(answers, discrepancy)
  if (first === 'flaky' || (first === 'steady' && isSuspect))
    for (let round = 0; round < MORE_ROUNDS; round++) if ((await repeat('old', round)) !== undefined) break
  const verdict = judgeSteadiness(answers, discrepancy)
  if (verdict === 'noise') recordNoise(comparer, answers.old, discrepancy)
  return verdict
}

function judgeSteadiness(
  answers: Readonly<Record<PairSide, readonly AnswerView[]>>,
  discrepancy: Discrepancy,
): 'steady' | 'noise' | 'flaky' {
  const { step } = discrepancy
  const [first] = answers.old
  if (first === undefined) return 'steady'
  const isSame = (view: AnswerView): boolean =>
    !discrepanciesOf(step, compareAnswers(first, view), first, view).some((one) => overlap(one, discrepancy))
  if (!answers.old.every(isSame)) return 'noise'
  return answers.new.some(isSame) ? 'flaky' : 'steady'
}

function overlap(a: Discrepancy, b: Discrepancy): boolean {
  if (a.about === 'fate' || b.about === 'fate') return a.about === b.about
  return a.differences.some(({ at }) => b.differences.some((own) => own.at === at))
}

function recordNoise(comparer: Comparer, views: readonly AnswerView[], { differences }: Discrepancy): void {
  const [first, ...others] = views
  for (const view of others)
    for (const difference of first === undefined ? [] : compareAnswers(first, view))
      if (differences.some(({ at }) => at === difference.at)) comparer.addNoise(difference)
}
