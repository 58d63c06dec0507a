import type { Limit } from '../../spec/model/report.js'
import type { RunContext } from './run-context.js'

/** What a budget other than that of failed logins kept from being tried in one deployment. */
export class LeftOut {
  readonly #stopped: string[] = []
  readonly #examples = new Map<string, { readonly tried: number; readonly all: number }>()

  /** The run was stopped before it. @param what a case, or an observation */
  stopped(what: string): void {
    this.#stopped.push(what)
  }

  /** @param all the fixed inputs that the generators of a case have, of which so many were tried */
  fixedInputs(caseId: string, tried: number, all: number): void {
    if (all > tried) this.#examples.set(caseId, { tried, all })
  }

  /** One limit for each budget that left something out. */
  limits(
    { runs, maxDurationMs, isOverdue }: Pick<RunContext, 'runs' | 'maxDurationMs' | 'isOverdue'>,
    deployment: string,
  ): readonly Limit[] {
    const limits: Limit[] = []
    // Which case ends first is chance.
    const cases = [...this.#examples].sort(([a], [b]) => (a < b ? -1 : 1))
    if (cases.length > 0)
      limits.push({
        deployment,
        setting: '--runs',
        declared: runs,
        needed: Math.max(...cases.map(([, { all }]) => all)),
        notTried: cases.map(([id, { tried, all }]) => `${id}: ${all - tried} of ${all} fixed inputs`),
      })
    if (maxDurationMs !== undefined && isOverdue() && this.#stopped.length > 0)
      limits.push({
        deployment,
        setting: '--max-duration',
        declared: Math.round(maxDurationMs / 1000),
        notTried: this.#stopped.toSorted(),
      })
    return limits
  }
}
