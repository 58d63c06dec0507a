import type { Report } from '../../../spec/model/report.js'
import { visible } from '../shared/escape.js'
import type { Failures } from '../shared/failures.js'
import type { Page } from '../shared/page.js'
import { partialSentence, verdictSentence } from '../shared/verdict-sentence.js'
import { wrap } from '../shared/wrap.js'

/** The last lines: the first that people read in a log. */
export function verdictLines(report: Report, found: Failures, page: Page): string[] {
  const { colors, width } = page
  const paint = { conformant: colors.green, nonconformant: colors.red, inconclusive: colors.yellow }[
    report.verdict
  ]
  const partial = partialSentence(report)
  const [first = '', ...rest] = wrap(visible(verdictSentence(report, found)), width)
  const end = first.indexOf(':') + 1
  return [
    ...(partial === undefined ? [] : wrap(partial, width).map((line) => colors.yellow(line))),
    paint(colors.bold(first.slice(0, end))) + first.slice(end),
    ...rest.map((line) => `  ${line}`),
  ]
}
