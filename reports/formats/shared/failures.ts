import { groupBy } from '../../../spec/model/items.js'
import type { Outcome } from '../../../spec/model/report.js'
import {
  ASKED_TO_WAIT,
  type Judgement,
  type Report,
  type Result,
  type RuleResult,
  TOKEN_NOT_ERROR,
} from '../../../spec/model/report.js'
import { wasStrict } from '../../../spec/model/verdict.js'
import { commonReason } from './trouble.js'

export interface Occurrence {
  readonly result: Result
  readonly judgement: Judgement
}

/** A rule that did not hold, with every judgement that says so. */
export interface FailedRule {
  readonly rule: RuleResult
  readonly occurrences: readonly Occurrence[]
}

export interface Failures {
  /** What gates. */
  readonly broken: readonly FailedRule[]
  /** A `should` that does not hold. */
  readonly warnings: readonly FailedRule[]
  /** What is of a profile, or came after the release that gates. */
  readonly advice: readonly FailedRule[]
  readonly waived: readonly FailedRule[]
}

/** The failures by rule, in the order of the specification. */
export function failuresOf(report: Report): Failures {
  const failures = report.results.flatMap((result) =>
    result.judgements
      .filter(({ outcome }) => outcome === 'failed')
      .map((judgement): Occurrence => ({ result, judgement })),
  )
  const open = failures.filter(({ result }) => !result.waived)
  const ofOpen = byRule(
    report,
    open.filter(({ judgement }) => !judgement.advisory),
  )
  const strict = wasStrict(report)
  return {
    broken: strict ? ofOpen : ofOpen.filter(({ rule }) => rule.level !== 'should'),
    warnings: strict ? [] : ofOpen.filter(({ rule }) => rule.level === 'should'),
    advice: byRule(
      report,
      open.filter(({ judgement }) => judgement.advisory),
    ),
    waived: byRule(
      report,
      failures.filter(({ result }) => result.waived),
    ),
  }
}

function byRule(report: Report, all: readonly Occurrence[]): FailedRule[] {
  const occurrences = groupBy(all, ({ judgement }) => judgement.rule)
  return report.rules.flatMap((rule) => {
    const own = occurrences.get(rule.id)
    return own ? [{ rule, occurrences: own }] : []
  })
}

/** The command that says why a rule of the specification matters, and how to fix it; undefined for all other rules. */
export function explainHint(rule: string): string | undefined {
  return /^[a-z]/.test(rule) ? undefined : `token-assay explain ${rule}`
}

/** Results without a judgement of an outcome other than passed or failed, by the reason that they give. */
export interface ReasonGroup {
  readonly reason: string
  readonly results: readonly Result[]
  readonly rules: readonly string[]
}

/**
 * Everything of one outcome by its reason, the most frequent first: one cause, one paragraph.
 * @param advisory what does not affect the verdict, in place of what may
 */
export function byReason(report: Report, outcome: Outcome, advisory = false): ReasonGroup[] {
  const groups = new Map<string, { reason: string; results: Set<Result>; rules: Set<string> }>()
  const add = (own: string | undefined, result: Result, rule?: string) => {
    const reason = own ?? 'no reason is recorded'
    const key = commonReason(reason, report.trouble)
    const shown = key === ASKED_TO_WAIT ? reason.slice(reason.indexOf(ASKED_TO_WAIT)) : key
    const group = groups.get(key) ?? { reason: shown, results: new Set(), rules: new Set() }
    groups.set(key, group)
    group.results.add(result)
    if (rule !== undefined) group.rules.add(rule)
  }
  for (const result of report.results) {
    if (result.judgements.length === 0 && result.outcome === outcome && !advisory) add(result.reason, result)
    for (const judgement of result.judgements) {
      if (judgement.outcome === outcome && (judgement.advisory ?? false) === advisory)
        add(judgement.reason ?? result.reason, result, judgement.rule)
    }
  }
  return Array.from(groups.values(), ({ reason, results, rules }) => ({
    reason:
      reason === TOKEN_NOT_ERROR && rules.size > 1
        ? reason.replace('this error rule was', `${rules.size} error rules were`)
        : reason,
    results: [...results],
    rules: [...rules],
  })).sort((a, b) => b.results.length - a.results.length)
}

export interface WaiverGroup {
  readonly reason: string
  /** The last day. */
  readonly until: string
  /** `RULE in RESULT`. */
  readonly places: readonly string[]
}

/** The waived failures by what waives them, so that each reason is printed once. */
export function byWaiver({ results }: Report): readonly WaiverGroup[] {
  const groups = new Map<string, { reason: string; until: string; places: Set<string> }>()
  for (const result of results) {
    const { waived } = result
    if (waived === undefined) continue
    const failed = result.judgements.filter(({ outcome, advisory }) => outcome === 'failed' && !advisory)
    for (const [index, { rule }] of failed.entries()) {
      const { reason, until } = waived.entries?.[index] ?? waived
      const key = JSON.stringify([reason, until])
      const group = groups.get(key) ?? { reason, until, places: new Set() }
      groups.set(key, group)
      group.places.add(`${rule} in ${result.id}`)
    }
  }
  return Array.from(groups.values(), (group) => ({ ...group, places: [...group.places] }))
}

export function notable(result: Result): readonly Judgement[] {
  return result.judgements.filter(({ outcome }) => outcome === result.outcome)
}

/** One line with the reason for the outcome of a result. */
export function headline(result: Result): string {
  const [first, ...others] = notable(result)
  const what = first?.message ?? first?.reason ?? result.reason ?? result.outcome
  const rule = first && result.outcome === 'failed' ? `${first.rule}: ` : ''
  const more = others.length > 0 && result.outcome === 'failed' ? ` (and ${others.length} more)` : ''
  const waived = result.waived ? `waived until ${result.waived.until}: ` : ''
  return `${waived}${rule}${what}${more}`
}
