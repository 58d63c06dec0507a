import type { Comparison } from '../../model/comparison.js'
import { markdownCode, markdownProse, markdownText } from '../markdown/escape.js'
import { defuseLine } from '../shared/escape.js'
import { CHANGES, detailOf, HEADINGS, letter, OUTCOME_LOOKS } from './words.js'

/** The matrix for a pull request: a table for what changed, one more for what is the same. */
export function renderComparisonMarkdown({ columns, rules, observations }: Comparison): string {
  const heads = columns.map((_, index) => letter(index))
  const tables = CHANGES.flatMap((change) => {
    const rows = rules.filter((row) => row.change === change)
    if (rows.length === 0) return []
    return [
      `## ${HEADINGS[change]} (${rows.length})`,
      '',
      `| rule | ${heads.join(' | ')} | |`,
      `|---|${heads.map(() => ':-:').join('|')}|---|`,
      ...rows.map((row) => {
        const cells = row.outcomes.map((outcome) =>
          `${OUTCOME_LOOKS[outcome].mark} ${OUTCOME_LOOKS[outcome].words}`.trim(),
        )
        const detail = detailOf(row)
        const what = [markdownProse(row.statement), ...(detail === undefined ? [] : [markdownText(detail)])]
        return `| ${markdownCode(row.id)} | ${cells.join(' | ')} | ${what.join(' ')} |`
      }),
      '',
    ]
  })
  const seen =
    observations.length === 0
      ? []
      : [
          `## Different observations (${observations.length})`,
          '',
          `| deployment | what | ${heads.join(' | ')} |`,
          `|---|---|${heads.map(() => '---').join('|')}|`,
          ...observations.map(({ deployment, statement, observed }) => {
            const cells = observed.map((text) => (text === undefined ? 'not observed' : markdownCode(text)))
            return `| ${markdownText(deployment)} | ${markdownProse(statement)} | ${cells.join(' | ')} |`
          }),
          '',
        ]
  const lines = [
    '# Comparison',
    '',
    ...columns.map(
      ({ label, report }, index) => `- **${letter(index)}** ${markdownText(label)}: ${report.verdict}`,
    ),
    '',
    ...tables,
    ...seen,
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}
