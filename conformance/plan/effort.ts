import type { Case } from '../../spec/model/case.js'
import type { Effort } from '../../spec/model/selection.js'

/** How much a run tries. Everything that repeats reads its number here. */
export interface Amounts {
  /** Inputs of a property-based case. */
  readonly inputs: number
  /** Inputs or rounds of a case that says itself how many. */
  readonly own?: (testCase: Case) => number | undefined
  /** Of these so many are drawn at most; the others are the near misses that its generators always try. */
  readonly drawn: number
  readonly sequences: number
  /** The part of a case's `repeat`. */
  readonly repeats: number
  /** Of what goes wrong by chance alone. */
  readonly rounds: number
  /** Whether what passed is judged again at the end, and what the specification leaves open is observed. */
  readonly isWhole: boolean
}

const ALL = Number.POSITIVE_INFINITY

const AMOUNTS: Readonly<Record<Effort, Amounts>> = {
  quick: {
    inputs: 3,
    own: ({ quick }) => quick,
    drawn: 0,
    sequences: 3,
    repeats: 0.04,
    rounds: 2,
    isWhole: false,
  },
  normal: { inputs: 100, drawn: 12, sequences: 14, repeats: 1, rounds: ALL, isWhole: true },
  thorough: { inputs: 500, drawn: ALL, sequences: 100, repeats: 5, rounds: ALL, isWhole: true },
}

/** The number of inputs that `repeat` and the share of sequences are meant for. */
const USUAL_INPUTS = 100
const SEQUENCES_SHARE = 0.2

/** @param runs inputs of each case in place of those of the effort: then none is left out that can be drawn */
export function amountsOf(effort: Effort, runs: number | undefined): Amounts {
  const usual = AMOUNTS[effort]
  if (runs === undefined) return usual
  const scaled = { sequences: runs * SEQUENCES_SHARE, repeats: runs / USUAL_INPUTS }
  return { ...usual, ...scaled, inputs: runs, own: () => undefined, drawn: ALL }
}

/** How often a case is tried. @param share of what a run tries, from 0 to 1 */
export function timesOf(testCase: Case, amounts: Amounts, share: number): number {
  const { steps, invariant, repeat = 1, inputs = ALL } = testCase
  const isSequences = steps.some(({ property }) => property === 'account-sequences')
  const times = isSequences
    ? amounts.sequences
    : invariant === undefined
      ? (amounts.own?.(testCase) ?? amounts.inputs)
      : repeat * amounts.repeats
  return Math.min(inputs, Math.max(1, Math.round(times * share)))
}
