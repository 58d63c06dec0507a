import type { AccountClass } from './account-class.js'

/** How many accounts of a class log in where. */
export interface ClassTally {
  both: number
  oldOnly: number
  newOnly: number
  neither: number
}

/** Where an account logs in. */
export type LoginSides = keyof ClassTally

/** Of one side alone so many accounts are kept, to be found in the file. */
const MAX_ROWS = 200

/** An account that logs in on one side alone: its place in the file, and what it is like. */
export interface OneSided {
  readonly row: number
  readonly side: 'old' | 'new'
  readonly classes: readonly AccountClass[]
}

/** What is kept of a cohort, however large it is. */
export interface CohortTally {
  /** Accounts of the file that were tried, from the first on, answered or not. */
  readonly tried: number
  readonly all: Readonly<ClassTally>
  readonly classes: Readonly<Record<AccountClass, Readonly<ClassTally>>>
  /** The first ones. */
  readonly oneSided: readonly OneSided[]
}

const NONE: ClassTally = { both: 0, oldOnly: 0, newOnly: 0, neither: 0 }

/** Adds up accounts; what it has can be kept in a file, and gone on with. */
export class CohortCounter {
  #tried: number
  readonly #all: ClassTally
  readonly #classes: Map<AccountClass, ClassTally>
  readonly #oneSided: OneSided[]

  constructor(before?: CohortTally) {
    this.#tried = before?.tried ?? 0
    this.#all = { ...NONE, ...before?.all }
    this.#classes = new Map(
      Object.entries(before?.classes ?? {}).map(([name, tally]) => [name, { ...tally }]),
    )
    this.#oneSided = [...(before?.oneSided ?? [])]
  }

  /** An account of which one side gave no answer. */
  skip(): void {
    this.#tried += 1
  }

  /** Whether the account is one of those that are kept. */
  isKept(row: number): boolean {
    return this.#oneSided.some((account) => account.row === row)
  }

  add(row: number, sides: LoginSides, classes: readonly AccountClass[]): void {
    this.#tried += 1
    this.#all[sides] += 1
    for (const name of classes) {
      const tally = this.#classes.get(name) ?? { ...NONE }
      tally[sides] += 1
      this.#classes.set(name, tally)
    }
    const side = sides === 'oldOnly' ? 'old' : sides === 'newOnly' ? 'new' : undefined
    if (side !== undefined && this.#oneSided.length < MAX_ROWS) this.#oneSided.push({ row, side, classes })
  }

  tally(): CohortTally {
    const classes = [...this.#classes].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return {
      tried: this.#tried,
      all: { ...this.#all },
      classes: Object.fromEntries(classes.map(([name, tally]) => [name, { ...tally }])),
      oneSided: [...this.#oneSided],
    }
  }
}
