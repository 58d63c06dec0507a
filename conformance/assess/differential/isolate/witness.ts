import type { Step } from '../../../../spec/model/case.js'
import type { PairSide } from '../../../drivers/pair/service-pair.js'
import { type AnswerView, viewsOf } from '../compare/answer-view.js'
import type { Comparer, ProbeComparison } from '../compare/comparer.js'
import type { Witness } from '../compare/explore.js'
import type { NormalValue } from '../compare/normalise-body.js'

/** The step whose answers differ. */
export function stepOf({ probe, discrepancy }: Witness): Step | undefined {
  return probe.testCase.steps[discrepancy.step]
}

export function isRegistration(witness: Witness): boolean {
  return stepOf(witness)?.register !== undefined
}

/** The side that accepts what the other refuses. */
export function lenientSide({ discrepancy }: Witness): PairSide {
  return discrepancy.differences.some(({ at, new: now }) => at === 'fate' && now === 'refused')
    ? 'old'
    : 'new'
}

export function strictSide(witness: Witness): PairSide {
  return lenientSide(witness) === 'old' ? 'new' : 'old'
}

export function viewAt(compared: ProbeComparison, side: PairSide, step: number): AnswerView | undefined {
  const views = compared.kind === 'compared' ? viewsOf(compared[side]) : []
  return 'trouble' in views ? undefined : views[step]
}

/** What one side answers to the request. It is not sent again where the answer is known. */
export async function answerOf(
  comparer: Comparer,
  { probe, discrepancy }: Witness,
  side: PairSide,
): Promise<AnswerView | undefined> {
  return viewAt(await comparer.compareOnce(probe), side, discrepancy.step)
}

/** What the strict side says of why it refuses. */
export async function reasonsOf(comparer: Comparer, witness: Witness): Promise<readonly string[]> {
  const compared = await comparer.compareOnce(witness.probe)
  return sentencesOf(compared, strictSide(witness), witness.discrepancy.step)
}

/** What one side says of a request: the sentences of its answer. */
export function sentencesOf(compared: ProbeComparison, side: PairSide, step: number): readonly string[] {
  const view = viewAt(compared, side, step)
  return view === undefined ? [] : sentencesIn(view.body)
}

function sentencesIn(value: NormalValue): readonly string[] {
  switch (value.kind) {
    case 'leaf':
      // A service may say all of it in one text.
      return value.text.split(/(?<=\.) /)
    case 'array':
      return value.items.flatMap(sentencesIn)
    case 'object':
      return [...value.members.values()].flatMap(sentencesIn)
    case 'instant':
      return []
  }
}

export function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}
