import type { Rehearsal, RehearsedCell } from '../../../spec/generated/types/rehearsal.js'
import { GRANT_WORDS, type TokenMoment } from '../../../spec/model/later-life.js'
import { markdownProse, markdownText } from '../markdown/escape.js'
import { defuseLine } from '../shared/escape.js'
import { capital, firstFew } from '../shared/phrase.js'
import {
  CELL_LOOKS,
  COLUMN_WORDS,
  factLines,
  type GrantTable,
  momentsOf,
  redGroups,
  rehearsalLists,
  rehearsalSentence,
  tablesOf,
} from './words.js'

const MAX_ALSO = 12

/** The table and what differs, for a pull request. */
export function renderRehearsalMarkdown(report: Rehearsal): string {
  const moments = momentsOf(report)
  const groups = redGroups(report)
  const lines = [
    `# Rehearsal of a cut-over: ${markdownText(report.name)}`,
    '',
    markdownProse(rehearsalSentence(report)),
    '',
    ...tablesOf(report).flatMap((table) => [...tableLines(table, moments), '']),
    ...(groups.length === 0 ? [] : ['## What differs', '']),
    ...groups.flatMap(({ evidence: { sentence, reproduce }, also }) => [
      `### ${markdownProse(sentence)}`,
      '',
      ...(also.length === 0 ? [] : [`Also: ${markdownProse(firstFew(also, MAX_ALSO))}`, '']),
      ...(reproduce === undefined ? [] : [`    ${reproduce.replace(/[\r\n]+/g, ' ')}`, '']),
    ]),
    ...(report.facts.length === 0 ? [] : ['## Beside the table', '']),
    ...factLines(report).map(({ text, differs }) => `- ${differs ? '✗ ' : ''}${markdownProse(text)}`),
    '',
    ...rehearsalLists(report).flatMap(({ heading, items }) => [
      `## ${heading}`,
      '',
      ...items.map((item) => `- ${markdownProse(item)}`),
      '',
    ]),
  ]
  return `${lines.map(defuseLine).join('\n').trimEnd()}\n`
}

function tableLines({ grant, rows }: GrantTable, moments: readonly TokenMoment[]): readonly string[] {
  return [
    `| ${capital(`from ${GRANT_WORDS[grant]}`)} | ${moments.map((moment) => COLUMN_WORDS[moment]).join(' | ')} |`,
    `|---|${moments.map(() => '---|').join('')}`,
    ...rows.map(
      ({ name, cells }) =>
        `| ${markdownText(name)} | ${moments.map((moment) => cellText(cells.get(moment))).join(' | ')} |`,
    ),
  ]
}

function cellText(cell: RehearsedCell | undefined): string {
  if (cell === undefined) return ''
  const { mark, words } = CELL_LOOKS[cell.outcome]
  const text = `${mark} ${words}`
  return cell.differs ? `**${text}**, not as expected` : text
}
