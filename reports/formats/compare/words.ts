import type { ReportedOutcome, RuleChange, RuleRow } from '../../model/comparison.js'
import { LOOKS, type Look } from '../shared/outcomes.js'
import { firstFew } from '../shared/phrase.js'

/** A mark and a word for each: never colour alone. */
export const OUTCOME_LOOKS: Readonly<Record<ReportedOutcome, Look>> = {
  ...LOOKS,
  absent: { mark: '–', words: 'not there' },
}

export const HEADINGS: Readonly<Record<RuleChange, string>> = {
  regression: 'Regressions',
  open: 'Not judged in the last report',
  fix: 'Fixes',
  differs: 'Other differences',
  same: 'Unchanged',
}

export const CHANGES: readonly RuleChange[] = ['regression', 'open', 'fix', 'differs', 'same']

/** A, B, C…, then A1: the short name of a column. */
export function letter(index: number): string {
  const own = String.fromCharCode(65 + (index % 26))
  return index < 26 ? own : `${own}${Math.floor(index / 26)}`
}

export function legendOf(rows: readonly RuleRow[]): string {
  const shown = new Set(rows.flatMap(({ change, outcomes }) => (change === 'same' ? [] : outcomes)))
  return Array.from(
    shown,
    (outcome) => `${OUTCOME_LOOKS[outcome].mark} ${OUTCOME_LOOKS[outcome].words}`,
  ).join(', ')
}

/** The results behind a change, where the outcomes alone do not show it. */
export function detailOf({ newFailures, unjudged, outcomes, change }: RuleRow): string | undefined {
  if (newFailures.length === 0) return change === 'open' ? listOf('not run: ', unjudged) : undefined
  const more = outcomes[0] === 'failed' || outcomes[0] === 'waived' ? 'newly failing: ' : 'fails in '
  return listOf(more, newFailures)
}

function listOf(words: string, results: readonly string[]): string | undefined {
  return results.length === 0 ? undefined : words + firstFew(results, 3)
}
