import { ellipsis } from '../display-width.js'
import { defuseLine, visible } from '../escape.js'
import { createPage, type Page } from '../page.js'
import { count, firstFew } from '../phrase.js'
import type { Comparison, RuleRow } from './comparison.js'
import { CHANGES, detailOf, HEADINGS, letter, SAID } from './words.js'

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
  const lines = [
    ...columns.map(({ label, report }, index) => {
      const { passed, failed, cantTell } = report.counts
      return `${page.colors.bold(letter(index))}  ${visible(label)}: ${report.verdict} (${passed} passed, ${failed} failed, ${cantTell} cannot tell)`
    }),
    ...blocks.flat(),
    ...observations.flatMap((row, index) => [
      ...(index === 0 ? ['', page.colors.bold(`Observed otherwise (${observations.length})`)] : []),
      `  ${row.deployment}: ${visible(row.statement)}`,
      ...row.observed.map(
        (observed, column) =>
          `    ${letter(column)}  ${ellipsis(visible(observed ?? 'not observed'), page.width - 7)}`,
      ),
    ]),
    '',
    closingLine(comparison),
  ]
  return `${lines.map(defuseLine).join('\n')}\n`
}

function rowLines(row: RuleRow, { colors, width }: Page): readonly string[] {
  const cells = row.said.map((said, index) => `${letter(index)} ${SAID[said].mark}`).join('  ')
  const detail = detailOf(row)
  const color = row.change === 'regression' ? colors.red : row.change === 'fix' ? colors.green : colors.yellow
  return [
    `  ${cells}  ${color(row.id)}`,
    `    ${ellipsis(visible(row.statement), width - 4)}`,
    ...(detail === undefined ? [] : [`    ${ellipsis(visible(detail), width - 4)}`]),
  ]
}

function sameLine(rows: readonly RuleRow[]): string {
  const words = rows.map(({ said }) => SAID[said[0] ?? 'absent'].words)
  const parts = [...new Set(words)].map((word) => `${words.filter((other) => other === word).length} ${word}`)
  return `The same in all: ${count(rows.length, 'rule')} (${parts.join(', ')})`
}

function closingLine({ rules }: Comparison): string {
  const worse = rules.filter(({ change }) => change === 'regression').map(({ id }) => id)
  const better = rules.filter(({ change }) => change === 'fix')
  if (worse.length > 0)
    return `✗ ${count(worse.length, 'regression')} from first to last: ${firstFew(worse, 5)}.`
  return `✓ No regression from first to last; ${count(better.length, 'fix', 'fixes')}.`
}
