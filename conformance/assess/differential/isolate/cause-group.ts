import type { Witness } from '../compare/explore.js'
import { traitsOf } from './request-traits.js'
import type { SmallestWitness } from './shrink.js'

/** Discrepancies with one cause: the smallest request that shows it, and all requests that showed it first. */
export interface CauseGroup {
  /** The same in another run: the id of the finding is made of it. */
  readonly key: string
  readonly smallest: SmallestWitness
  /** Other smallest requests, in case the first turns out to be noise. */
  readonly others: readonly SmallestWitness[]
  /** The smallest requests of other kinds that have the same cause. */
  readonly also: readonly SmallestWitness[]
  readonly behind: readonly Witness[]
}

export function joined(group: CauseGroup, other: CauseGroup): CauseGroup {
  return {
    ...group,
    others: [...group.others, other.smallest, ...other.others],
    also: [...group.also, other.smallest, ...other.also],
    behind: [...group.behind, ...other.behind],
  }
}

/** How much a request differs from the plain one. */
export function sizeOf({ probe: { testCase, mayFail }, discrepancy }: Witness): number {
  const { steps, forall } = testCase
  return (
    steps.length * 1000 +
    traitsOf(steps, discrepancy.step).length * 100 +
    (mayFail ? 50 : 0) +
    (forall === undefined ? 0 : 10)
  )
}
