import type { Rehearsal, RehearsedCell } from '../../../spec/generated/types/rehearsal.js'
import { GRANT_WORDS, type TokenMoment } from '../../../spec/model/later-life.js'
import { exchangeSummary } from '../console/exchange.js'
import { printedLines, visible } from '../shared/escape.js'
import { createPage, labelled, type Page } from '../shared/page.js'
import { duration, firstFew } from '../shared/phrase.js'
import { wrap } from '../shared/wrap.js'
import {
  CELL_LOOKS,
  COLUMN_WORDS,
  factLines,
  type GrantTable,
  momentsOf,
  type RedGroup,
  redCells,
  redGroups,
  rehearsalLists,
  rehearsalSentence,
  tablesOf,
} from './words.js'

/** The table and what is red of it, for a terminal. */
export function renderRehearsal(
  report: Rehearsal,
  options: { readonly color: boolean; readonly width: number; readonly quiet?: boolean },
): string {
  const page = createPage(options)
  const { bold, dim } = page.colors
  if (options.quiet)
    return printedLines(
      [...redGroups(report).map(({ evidence }) => visible(evidence.sentence)), rehearsalSentence(report)],
      options.color,
    )
  const lines = [
    ...report.services.map(
      ({ name, role, baseUrl }) => `${bold(visible(name))} (${role})  ${visible(baseUrl)}`,
    ),
    ...elsewhere(report).map(({ name, baseUrl }) => dim(`→ ${visible(name)}  ${visible(baseUrl)}`)),
    ...tablesOf(report).flatMap((table) => ['', ...tableLines(table, momentsOf(report), page)]),
    '',
    dim(legend(report)),
    ...factPart(report, page),
    ...redGroups(report).flatMap((group) => ['', ...groupLines(group, page)]),
    ...rehearsalLists(report).flatMap(({ heading, items }) => [
      '',
      bold(heading),
      ...items.flatMap((item) =>
        wrap(visible(item), page.width - 4).map((line, at) => (at === 0 ? '  ' : '    ') + line),
      ),
    ]),
    '',
    rehearsalSentence(report),
    dim(duration(report.durationMs)),
  ]
  return printedLines(lines, options.color)
}

/** The acceptors that are no part of a service. */
function elsewhere({ services, acceptors }: Rehearsal): Rehearsal['acceptors'] {
  return acceptors.filter(({ baseUrl }) => !services.some((service) => service.baseUrl === baseUrl))
}

/** Columns between two columns. */
const GAP = 2

function tableLines(
  { grant, rows }: GrantTable,
  moments: readonly TokenMoment[],
  { colors }: Page,
): readonly string[] {
  const heading = `from ${GRANT_WORDS[grant]}`
  const first = Math.max(heading.length, ...rows.map(({ name }) => visible(name).length + 2)) + GAP
  const widthOf = (moment: TokenMoment): number => Math.max(COLUMN_WORDS[moment].length, 11) + GAP
  return [
    colors.bold(
      heading.padEnd(first) + moments.map((moment) => COLUMN_WORDS[moment].padEnd(widthOf(moment))).join(''),
    ),
    ...rows.map(
      ({ name, cells }) =>
        `  ${visible(name)}`.padEnd(first) +
        moments.map((moment) => cellText(cells.get(moment), widthOf(moment), colors)).join(''),
    ),
  ].map((line) => line.trimEnd())
}

function cellText(cell: RehearsedCell | undefined, width: number, colors: Page['colors']): string {
  if (cell === undefined) return ' '.repeat(width)
  const { mark, words } = CELL_LOOKS[cell.outcome]
  const text = `${cell.differs ? '▶' : ' '}${mark} ${words}`.padEnd(width)
  if (cell.differs) return colors.red(text)
  if (cell.outcome === 'not-tried') return colors.dim(text)
  return cell.expected === undefined ? text : colors.green(text)
}

function factPart(report: Rehearsal, { colors, width }: Page): readonly string[] {
  const facts = factLines(report)
  if (facts.length === 0) return []
  const lines = facts.flatMap((fact) =>
    wrap(visible(fact.text), width - 6).map((line, at) => {
      const text = `${at > 0 ? '    ' : fact.differs ? ' ▶  ' : '    '}${line}`
      return fact.differs ? colors.red(text) : text
    }),
  )
  return ['', colors.bold('Beside the table'), ...lines]
}

function legend(report: Rehearsal): string {
  const red = redCells(report).length > 0 ? '▶ not as expected   ' : ''
  return `${red}${Object.values(CELL_LOOKS)
    .map(({ mark, words }) => `${mark} ${words}`)
    .join('   ')}`
}

/** Of more cells that differ alike the first tell enough. */
const MAX_ALSO = 12

function groupLines({ evidence, also }: RedGroup, page: Page): readonly string[] {
  const { colors, width } = page
  const { sentence, exchanges, reproduce } = evidence
  return [
    ...wrap(visible(sentence), width - 2).map((line, at) => (at === 0 ? '' : '  ') + colors.red(line)),
    ...(also.length === 0 ? [] : labelled('also', wrap(visible(firstFew(also, MAX_ALSO)), width - 16), page)),
    ...exchanges.flatMap((exchange, at) =>
      labelled(at === 0 ? 'sent' : '', [exchangeSummary(exchange, page)], page),
    ),
    ...(reproduce === undefined ? [] : labelled('again', [visible(reproduce)], page)),
  ]
}
