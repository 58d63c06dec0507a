import type { Judgement } from '../spec/model/report.js'

/** What one rule finds in one scenario. */
export type Finding = Omit<Judgement, 'rule'>

export const PASSED: Finding = { outcome: 'passed' }

export function failed(message: string, expected: string, actual: string): Finding {
  return { outcome: 'failed', message, expected, actual }
}

export function inapplicable(reason: string): Finding {
  return { outcome: 'inapplicable', reason }
}

export function cannotTell(reason: string): Finding {
  return { outcome: 'cantTell', reason }
}
