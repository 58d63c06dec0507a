import type { Report } from '../../../spec/model/report.js'
import { gateOf, type RunProblem } from './gate.js'
import { stopSentences } from './verdict-sentence.js'

/** What is wrong with the run as a whole. Why less was judged than was planned is said once, instead of with each case. */
export function runProblems(report: Report): readonly RunProblem[] {
  const stops = stopSentences(report).map(
    (message): RunProblem => ({ effect: 'inconclusive', title: 'all that is planned is judged', message }),
  )
  return [...gateOf(report).problems, ...stops]
}
