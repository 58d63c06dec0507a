/** How much is measured. */
export interface BenchOptions {
  /** Rounds of each measurement, after one that is forgotten. */
  readonly rounds: number
  /** Small sizes, and nothing that takes longer than seconds. */
  readonly quick: boolean
  /** A folder for files, removed in the end. */
  readonly work: string
}
