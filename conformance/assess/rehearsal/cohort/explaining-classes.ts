import type { AccountClass } from './account-class.js'
import type { CohortTally, OneSided } from './cohort-tally.js'

/** A class of which no account logs in on the other side, and those that it explains. */
export interface ExplainingClass {
  /** Undefined: these accounts have no such class. */
  readonly name: AccountClass | undefined
  readonly accounts: readonly OneSided[]
}

/**
 * The fewest classes that explain why accounts log in on one side alone: of each, no account logs in on both. The one that
 * explains the most comes first.
 */
export function explainingClasses(
  { classes, oneSided }: CohortTally,
  side: OneSided['side'],
): readonly ExplainingClass[] {
  const explaining: ExplainingClass[] = []
  const candidates = Object.entries(classes)
    .filter(([, { both }]) => both === 0)
    .map(([name]) => name)
  let left = oneSided.filter((account) => account.side === side)
  while (left.length > 0) {
    const ranked = candidates
      .map((name) => ({ name, accounts: left.filter((account) => account.classes.includes(name)) }))
      .toSorted((a, b) => b.accounts.length - a.accounts.length)
    const [best] = ranked
    if (best === undefined || best.accounts.length === 0)
      return [...explaining, { name: undefined, accounts: left }]
    explaining.push(best)
    left = left.filter((account) => !best.accounts.includes(account))
  }
  return explaining
}
