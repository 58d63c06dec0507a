import type { Judgement, Outcome, Report, Result, RuleResult } from '../spec/types.js'

/** One judgement, and the result that it stands in. */
export interface Occurrence {
  readonly result: Result
  readonly judgement: Judgement
}

/** A rule that did not hold, with every judgement that says so. */
export interface Finding {
  readonly rule: RuleResult
  readonly occurrences: readonly Occurrence[]
}

export interface Findings {
  /** What gates. */
  readonly broken: readonly Finding[]
  /** A `should` that does not hold. */
  readonly warnings: readonly Finding[]
  /** Failures that a baseline entry waives. */
  readonly waived: readonly Finding[]
}

/** The failures by rule, in the order of the specification. */
export function findings(report: Report): Findings {
  const open = new Map<string, Occurrence[]>()
  const waived = new Map<string, Occurrence[]>()
  for (const result of report.results) {
    const into = result.waived ? waived : open
    for (const judgement of result.judgements) {
      if (judgement.outcome === 'failed') append(into, judgement.rule, { result, judgement })
    }
  }
  const ofOpen = inOrder(report, open)
  const must = ofOpen.filter(({ rule }) => rule.level !== 'should')
  // The report does not say whether the run was strict; a verdict that only a `should` explains does.
  const strict = report.verdict === 'nonconformant' && must.length === 0
  return {
    broken: strict ? ofOpen : must,
    warnings: strict ? [] : ofOpen.filter(({ rule }) => rule.level === 'should'),
    waived: inOrder(report, waived),
  }
}

function inOrder(report: Report, occurrences: ReadonlyMap<string, Occurrence[]>): Finding[] {
  return report.rules.flatMap((rule) => {
    const own = occurrences.get(rule.id)
    return own ? [{ rule, occurrences: own }] : []
  })
}

/** Results without a judgement of an outcome other than passed or failed, by the reason that they give. */
export interface ReasonGroup {
  readonly reason: string
  readonly results: readonly Result[]
  readonly rules: readonly string[]
}

/** Everything of one outcome by its reason, the most frequent first: one cause, one paragraph. */
export function byReason(report: Report, outcome: Outcome): ReasonGroup[] {
  const groups = new Map<string, { results: Set<Result>; rules: Set<string> }>()
  const add = (reason: string | undefined, result: Result, rule?: string) => {
    const key = reason ?? 'no reason is recorded'
    const group = groups.get(key) ?? { results: new Set(), rules: new Set() }
    groups.set(key, group)
    group.results.add(result)
    if (rule !== undefined) group.rules.add(rule)
  }
  for (const result of report.results) {
    if (result.judgements.length === 0 && result.outcome === outcome) add(result.reason, result)
    for (const judgement of result.judgements) {
      if (judgement.outcome === outcome) add(judgement.reason ?? result.reason, result, judgement.rule)
    }
  }
  return [...groups]
    .map(([reason, { results, rules }]) => ({ reason, results: [...results], rules: [...rules] }))
    .sort((a, b) => b.results.length - a.results.length)
}

function append(map: Map<string, Occurrence[]>, key: string, occurrence: Occurrence): void {
  const list = map.get(key)
  if (list) list.push(occurrence)
  else map.set(key, [occurrence])
}
