import { LOOKS } from '../html/state.js'
import type { Change, RuleRow, Said } from './comparison.js'

/** A mark and a word for each: never colour alone. */
export const SAID: Readonly<Record<Said, { readonly mark: string; readonly words: string }>> = {
  ...LOOKS,
  absent: { mark: ' ', words: 'not there' },
}

export const HEADINGS: Readonly<Record<Change, string>> = {
  regression: 'Regressions',
  fix: 'Fixes',
  differs: 'Otherwise different',
  same: 'The same in all',
}

export const CHANGES: readonly Change[] = ['regression', 'fix', 'differs', 'same']

/** A, B, C…, then A1: what a column is called where there is no room for its name. */
export function letter(index: number): string {
  const own = String.fromCharCode(65 + (index % 26))
  return index < 26 ? own : `${own}${Math.floor(index / 26)}`
}

/** What is behind a change, where the outcomes alone do not say it. */
export function detailOf({ newFailures, said }: RuleRow): string | undefined {
  if (newFailures.length === 0) return undefined
  const more = said[0] === 'failed' || said[0] === 'waived' ? 'newly failing: ' : 'fails in '
  const shown = newFailures.slice(0, 3).join(', ')
  return `${more}${shown}${newFailures.length > 3 ? ` and ${newFailures.length - 3} more` : ''}`
}
