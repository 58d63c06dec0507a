import type { Judgement } from '../../../spec/model/report.js'

/** What one rule decides of one scenario. */
export type Decision = Omit<Judgement, 'rule'>

export const PASSED: Decision = { outcome: 'passed' }

export function failed(message: string, expected: string, actual: string): Decision {
  return { outcome: 'failed', message, expected, actual }
}

export function inapplicable(reason: string): Decision {
  return { outcome: 'inapplicable', reason }
}

export function cannotTell(reason: string): Decision {
  return { outcome: 'cantTell', reason }
}
