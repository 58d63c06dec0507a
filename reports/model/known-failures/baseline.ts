/** A failure that is known, and does not gate until a date. */
export interface BaselineEntry {
  readonly rule: string
  readonly case: string
  /** A glob over the deployments' names. */
  readonly deployment: string
  /** From `fingerprint`. */
  readonly fingerprint: string
  readonly reason: string
  readonly owner: string
  /** The last day, `YYYY-MM-DD` in UTC. */
  readonly until: string
}

export interface Baseline {
  readonly waived: readonly BaselineEntry[]
}

/** The day of an instant in UTC, as `until` spells it. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
