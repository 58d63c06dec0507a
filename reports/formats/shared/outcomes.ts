import type { Counts, Outcome, Report, Result, RuleResult } from '../../../spec/model/report.js'
import { countResults, failsAsAdvice } from '../../../spec/model/summary.js'
import { failuresOf } from './failures.js'
import type { Gate } from './gate.js'

/** An outcome as a reader sees it: a failure that gates is distinguished from one that does not. */
export type State = Outcome | 'warning' | 'advisory' | 'waived' | 'unjudged'

export interface Look {
  /** Beside every colour, for readers who do not see it. */
  readonly mark: string
  readonly words: string
}

/** The worst first. */
export const LOOKS: Readonly<Record<State, Look>> = {
  failed: { mark: '✗', words: 'failed' },
  warning: { mark: '!', words: 'warning' },
  advisory: { mark: '~', words: 'advisory' },
  cantTell: { mark: '?', words: 'cannot tell' },
  waived: { mark: '≈', words: 'waived' },
  passed: { mark: '✓', words: 'passed' },
  untested: { mark: '○', words: 'not run' },
  inapplicable: { mark: '–', words: 'not applicable' },
  unjudged: { mark: '·', words: 'not judged' },
}

const isState = (name: string): name is State => Object.hasOwn(LOOKS, name)

export const STATES: readonly State[] = Object.keys(LOOKS).filter(isState)

export function ruleStates(report: Report): (rule: RuleResult) => State {
  const { broken, warnings, advice } = failuresOf(report)
  const red = new Set(broken.map(({ rule }) => rule.id))
  const yellow = new Set(warnings.map(({ rule }) => rule.id))
  const advisory = new Set(advice.map(({ rule }) => rule.id))
  return ({ id, outcome }) => {
    if (red.has(id)) return 'failed'
    if (yellow.has(id)) return 'warning'
    if (advisory.has(id)) return 'advisory'
    // A failed rule that is neither broken nor a warning has been waived.
    return outcome === 'failed' ? 'waived' : (outcome ?? 'unjudged')
  }
}

export function resultState(result: Result): State {
  return result.waived ? 'waived' : failsAsAdvice(result) ? 'advisory' : result.outcome
}

/** The counts in words, in the order of the report: `3 passed, 1 cannot tell`. */
export function countedOutcomes(counts: Counts, names: readonly (typeof COUNTED)[number][]): string {
  return names.map((name) => `${counts[name]} ${LOOKS[name].words}`).join(', ')
}

/** What the report counts: the outcomes, and the waived ones among the failed. */
export const COUNTED = [
  'passed',
  'failed',
  'cantTell',
  'inapplicable',
  'untested',
  'waived',
] as const satisfies readonly (keyof Counts)[]

/** `85 passed, 2 failed (1 of the failed waived)`: the outcomes that there are. What is in brackets gates nothing. */
export function outcomesPhrase(results: readonly Result[], effectOf: Gate['effectOf']): string {
  const counts = countResults(results)
  const outcomes = countedOutcomes(
    counts,
    COUNTED.filter((name) => name !== 'waived' && counts[name] > 0),
  )
  const harmless = results.filter((result) => effectOf(result) === 'advice' && !failsAsAdvice(result))
  const failed = harmless.filter(({ outcome }) => outcome === 'failed').length
  const notes = [
    counts.waived > 0 ? ` (${counts.waived} of the failed waived)` : '',
    counts.advisory === undefined ? '' : ` (${counts.advisory} of the failed as advice)`,
    failed === 0 ? '' : ` (${failed} of the failed as warnings)`,
    harmless.length === failed
      ? ''
      : ` (${harmless.length - failed} of the undecided do not affect the verdict)`,
  ]
  return `${outcomes || 'none was executed'}${notes.join('')}`
}
