import type { Occurrence } from '../../../reports/formats/shared/failures.js'
import type { State } from '../../../reports/formats/shared/outcomes.js'
import type { Result, RuleResult } from '../../../spec/model/report.js'
import type { Requirement } from '../../../spec/model/specification.js'
import { summarizeRules, worst } from '../../../spec/model/summary.js'
import { withoutEvidence } from '../../history/history.js'

/**
 * What is known of each rule while results come, and when some are run again: always the newest judgement of each result.
 * Of results that passed the exchanges are dropped, so that a run of any length fits in memory.
 */
export interface LiveRun {
  readonly rules: readonly Requirement[]
  /** A run begins. Before one of a part nothing is forgotten, but what passed is green only where it is judged again. */
  begin(isPart: boolean): void
  /** @returns the rules that it judges, or judged before */
  add(result: Result): readonly string[]
  stateOf(rule: string): State
  /** As a report has it. */
  ruleOf(rule: string): RuleResult | undefined
  occurrencesOf(rule: string): readonly Occurrence[]
  result(id: string): Result | undefined
  /** Ids of results that fail now, or could not be judged. */
  readonly failed: () => readonly string[]
  /** The rules that are broken now. */
  readonly broken: () => readonly string[]
}

/** @param isOpen whether further results may come of every rule: until then none is not applicable */
export function createLiveRun(rules: readonly Requirement[], isOpen: () => boolean = () => false): LiveRun {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const results = new Map<string, Result>()
  const judging = new Map<string, Set<string>>()
  /** Results of the newest run. */
  const fresh = new Set<string>()

  const occurrencesOf = (rule: string): readonly Occurrence[] =>
    [...(judging.get(rule) ?? [])].flatMap((id) => {
      const result = results.get(id)
      const own = result?.judgements.filter((judgement) => judgement.rule === rule) ?? []
      return result === undefined ? [] : own.map((judgement) => ({ result, judgement }))
    })
  const stateOf = (rule: string): State => {
    const occurrences = occurrencesOf(rule)
    const judgements = occurrences.map(({ judgement }) => judgement)
    const outcome = worst(judgements.map((judgement) => judgement.outcome))
    // The service may have changed since.
    const isOld = occurrences.some(
      ({ result, judgement }) => judgement.outcome === 'passed' && !fresh.has(result.id),
    )
    if (outcome === 'passed' && isOld) return 'untested'
    if (isOpen() && (outcome === 'inapplicable' || outcome === 'untested')) return 'unjudged'
    if (outcome !== 'failed') return outcome ?? 'unjudged'
    if (judgements.every((judgement) => judgement.outcome !== 'failed' || judgement.advisory))
      return 'advisory'
    return byId.get(rule)?.level === 'should' ? 'warning' : 'failed'
  }
  return {
    rules,
    begin(isPart) {
      fresh.clear()
      if (isPart) return
      results.clear()
      judging.clear()
    },
    add(result) {
      const before = results.get(result.id)?.judgements ?? []
      fresh.add(result.id)
      results.set(result.id, result.outcome === 'passed' ? withoutEvidence(result) : result)
      const own = [...new Set([...before, ...result.judgements].map(({ rule }) => rule))]
      for (const rule of own) {
        const ids = judging.get(rule) ?? new Set()
        judging.set(rule, ids.add(result.id))
      }
      return own
    },
    stateOf,
    ruleOf(id) {
      const rule = byId.get(id)
      const own = [...(judging.get(id) ?? [])].flatMap((result) => results.get(result) ?? [])
      return rule && summarizeRules([rule], own)[0]
    },
    occurrencesOf,
    result: (id) => results.get(id),
    failed: () =>
      [...results.values()]
        .filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
        .map(({ id }) => id),
    broken: () => rules.map(({ id }) => id).filter((id) => stateOf(id) === 'failed'),
  }
}
