import type { Limit } from '../../../../spec/model/report.js'
import type { Amounts } from '../../../plan/effort.js'
import type { RunContext } from './run-context.js'

type LimitSource = Pick<RunContext, 'effort' | 'runs' | 'amounts' | 'maxDurationMs' | 'isOverdue'>

const LEFT_OUT_IF_QUICK = [
  'generated inputs',
  'most repetitions',
  'a second judgement at the end',
  'observations',
]

/** What a budget other than that of failed logins kept from being tried in one deployment. */
export class LeftOut {
  readonly #stopped: string[] = []
  readonly #couldDraw = new Set<'inputs' | 'sequences'>()
  readonly #examples = new Map<string, { readonly tried: number; readonly all: number }>()

  /** The run was stopped before it. @param what a case, or an observation */
  stopped(what: string): void {
    this.#stopped.push(what)
  }

  /** @param all the fixed inputs that the generators of a case have, of which so many were tried */
  fixedInputs(caseId: string, tried: number, all: number): void {
    if (all > tried) this.#examples.set(caseId, { tried, all })
  }

  /** More of them can be drawn than the effort asks for. */
  drawn(what: 'inputs' | 'sequences'): void {
    this.#couldDraw.add(what)
  }

  /** One limit for each budget that left something out. */
  limits(source: LimitSource, deployment: string): readonly Limit[] {
    const { effort, runs, amounts, maxDurationMs, isOverdue } = source
    const limits: Limit[] = []
    // Which case ends first is chance.
    const cases = [...this.#examples].sort(([a], [b]) => (a < b ? -1 : 1))
    const fixed = cases.map(([id, { tried, all }]) => `${id}: ${all - tried} of ${all} fixed inputs`)
    const isQuick = effort === 'quick'
    const notTried = isQuick
      ? [...LEFT_OUT_IF_QUICK, ...fixed]
      : runs === undefined
        ? this.#beyond(amounts)
        : []
    if (notTried.length > 0) limits.push({ deployment, setting: '--effort', declared: effort, notTried })
    if (!isQuick && cases.length > 0)
      limits.push({
        deployment,
        setting: '--runs',
        declared: amounts.inputs,
        needed: Math.max(...cases.map(([, { all }]) => all)),
        notTried: fixed,
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
  /** What a greater effort would draw. */
  #beyond({ inputs, drawn, sequences }: Amounts): readonly string[] {
    const beyond = {
      inputs: Number.isFinite(drawn)
        ? `generated inputs beyond ${drawn} for each case`
        : `inputs beyond ${inputs} for each case`,
      sequences: `sequences of registrations and logins beyond ${sequences}`,
    }
    return (['inputs', 'sequences'] as const).flatMap((what) =>
      this.#couldDraw.has(what) ? beyond[what] : [],
    )
  }
}
