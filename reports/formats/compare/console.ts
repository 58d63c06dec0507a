import type { Comparison, RuleRow } from '../../model/comparison.js'
import { printedLines, visible } from '../shared/escape.js'
import { countedOutcomes } from '../shared/outcomes.js'
import { createPage, type Page } from '../shared/page.js'
import { count, firstFew } from '../shared/phrase.js'
import { ellipsis } from '../shared/wrap.js'
import { CHANGES, detailOf, HEADINGS, legendOf, letter, OUTCOME_LOOKS } from './words.js'

/** The matrix for a terminal: each report a letter, each rule that changed a row; what is the same is counted. */
export function renderComparison(comparison: Comparison, options: { color: boolean; width: number }): string {
  const page = createPage(options)
  const { columns, rules, observations } = comparison
  const blocks = CHANGES.map((change) => {
    const rows = rules.filter((row) => row.change === change)
    if (rows.length === 0) return []
    if (change === 'same') return ['', sameLine(rows)]
    return [
      '',
      page.colors.bold(`${HEADINGS[change]} (${rows.length})`),
      ...rows.flatMap((row) => rowLines(row, page)),
    ]
  })
  const legend = legendOf(rules)
  const lines = [
    ...columns.map(({ label, report }, index) => {
      const counts = countedOutcomes(report.counts, ['passed', 'failed', 'cantTell'])
      return `${page.colors.bold(letter(index))}  ${visible(label)}: ${report.verdict} (${counts})`
    }),
    ...(legend === '' ? [] : ['', legend]),
    ...blocks.flat(),
    ...observations.flatMap((row, index) => [
      ...(index === 0 ? ['', page.colors.bold(`Different observations (${observations.length})`)] : []),
      `  ${visible(`${row.deployment}: ${row.statement}`)}`,
      ...row.observed.map(
        (observed, column) =>
          `    ${letter(column)}  ${ellipsis(visible(observed ?? 'not observed'), page.width - 7)}`,
      ),
    ]),
    '',
    closingLine(comparison),
  ]
  return printedLines(lines, options.color)
}

function rowLines(row: RuleRow, { colors, width }: Page): readonly string[] {
  const cells = row.outcomes
    .map((outcome, index) => `${letter(index)} ${OUTCOME_LOOKS[outcome].mark}`)
    .join('  ')
  const detail = detailOf(row)
  const color = row.change === 'regression' ? colors.red : row.change === 'fix' ? colors.green : colors.yellow
  return [
    `  ${cells}  ${color(visible(row.id))}`,
    `    ${ellipsis(visible(row.statement), width - 4)}`,
    ...(detail === undefined ? [] : [`    ${ellipsis(visible(detail), width - 4)}`]),
  ]
}

function sameLine(rows: readonly RuleRow[]): string {
  const words = rows.map(({ outcomes }) => OUTCOME_LOOKS[outcomes[0] ?? 'absent'].words)
  const parts = [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} ${word}`)
  return `Unchanged: ${count(rows.length, 'rule')} (${parts.join(', ')})`
}

function closingLine({ rules }: Comparison): string {
  const worse = rules.filter(({ change }) => change === 'regression').map(({ id }) => id)
  const better = rules.filter(({ change }) => change === 'fix')
  if (worse.length > 0)
    return `✗ ${count(worse.length, 'regression')} from first to last: ${firstFew(worse, 5)}.`
  const open = rules.filter(({ change }) => change === 'open')
  if (open.length > 0)
    return `? No regression from first to last, but ${count(open.length, 'rule is', 'rules are')} not judged in the last.`
  return `✓ No regression from first to last; ${count(better.length, 'fix', 'fixes')}.`
}
