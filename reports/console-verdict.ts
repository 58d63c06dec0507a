import type { Report } from '../spec/types.js'
import type { Findings } from './findings.js'
import type { Page } from './page.js'
import { partialSentence, verdictSentence } from './verdict-sentence.js'
import { wrap } from './wrap.js'

/** The last words: what a tired person reads first at the end of a log. */
export function verdictLines(report: Report, found: Findings, page: Page): string[] {
  const { colors, width } = page
  const paint = { conformant: colors.green, nonconformant: colors.red, inconclusive: colors.yellow }[
    report.verdict
  ]
  const partial = partialSentence(report)
  const [first = '', ...rest] = wrap(verdictSentence(report, found), width)
  const end = first.indexOf(':') + 1
  return [
    ...(partial === undefined ? [] : wrap(partial, width).map((line) => colors.yellow(line))),
    paint(colors.bold(first.slice(0, end))) + first.slice(end),
    ...rest.map((line) => `  ${line}`),
  ]
}
