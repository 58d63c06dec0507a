import type { RuleResult } from '../spec/types.js'

/** A rule that could be judged, and that no case judges yet: none of its results is missing, there are none. */
export function isUncovered({ level, results }: RuleResult): boolean {
  return (level === 'must' || level === 'should') && results.length === 0
}
