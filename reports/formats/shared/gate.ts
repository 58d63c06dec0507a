import type { Report, Result } from '../../../spec/model/report.js'
import {
  type GateEffect,
  gateEffects,
  verdictOf,
  wasExecuted,
  wasStrict,
} from '../../../spec/model/verdict.js'
import { count } from './phrase.js'

/** Something about the run as a whole that a gate is to stop on, although no single result says so. */
export interface RunProblem {
  readonly effect: 'broken' | 'inconclusive'
  /** What should be so, as the title of a test. */
  readonly title: string
  readonly message: string
}

export interface Gate {
  readonly effectOf: (result: Result) => GateEffect
  readonly problems: readonly RunProblem[]
}

/** What a report means for a pipeline. Formats that pipelines read are red exactly where the exit code is. */
export function gateOf(report: Report): Gate {
  const { results, rules, baseline, selection } = report
  const strict = wasStrict(report)
  const stale = (baseline?.stale ?? []).map(
    (message): RunProblem => ({ effect: 'broken', title: 'the baseline matches the run', message }),
  )
  const executed = results.some(wasExecuted)
  const { exitCode } = verdictOf(results, rules, { strict, sharded: selection?.shard !== undefined })
  const refusal = report.stops?.find(({ cause }) => cause === 'refused')
  const message = refusal?.message ?? `None of ${count(results.length, 'planned case')} was executed.`
  const nothing: readonly RunProblem[] =
    executed || exitCode === 0 ? [] : [{ effect: 'inconclusive', title: 'at least one case runs', message }]
  return { effectOf: gateEffects(rules, { strict }), problems: [...stale, ...nothing] }
}
