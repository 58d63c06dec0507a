import { occurrenceLines } from './console-occurrence.js'
import { ellipsis } from './display-width.js'
import { escapeForTerminal, visible } from './escape.js'
import type { Finding, Occurrence } from './findings.js'
import { labelled, type Page, textColumn } from './page.js'
import { count } from './phrase.js'
import { wrap } from './wrap.js'

const MOST_OTHERS = 6

/**
 * One rule that does not hold: its first result in full, the others in a line each.
 * `shown` remembers which result's exchanges stand above already, and under which rule.
 */
export function findingLines(
  finding: Finding,
  page: Page,
  shown: Map<string, string>,
  symbol: string,
): string[] {
  const { rule, occurrences } = finding
  const { colors } = page
  // A result whose exchange is not printed yet says more than one that is.
  const first = occurrences.find(({ result }) => !shown.has(result.id)) ?? occurrences[0]
  if (!first) return []
  const others = occurrences.filter((occurrence) => occurrence !== first)
  return [
    `${symbol} ${colors.bold(rule.id)} ${colors.dim(`(section ${rule.section}, ${rule.level})`)}`,
    ...wrap(visible(rule.statement), page.width - 2).map((line) => `  ${colors.bold(line)}`),
    '',
    ...occurrenceLines(first, page, shown),
    ...(page.verbose
      ? others.flatMap((other) => ['', ...occurrenceLines(other, page, shown)])
      : othersLines(first, others, page)),
    '',
  ]
}

function othersLines(first: Occurrence, others: readonly Occurrence[], page: Page): string[] {
  if (others.length === 0) return []
  // One result may break a rule in more than one step.
  const lines = new Set(
    others.map(({ result, judgement: { message } }) =>
      message === undefined || message === first.judgement.message ? result.id : `${result.id}: ${message}`,
    ),
  )
  const room = page.width - textColumn
  const most = lines.size === MOST_OTHERS + 1 ? lines.size : MOST_OTHERS
  const shown = [...lines].slice(0, most).flatMap((line) => wrap(visible(line), room))
  const more = lines.size > most ? [`and ${lines.size - most} more`] : []
  return labelled('also in', [...shown, ...more], page)
}

/** A finding in one line, for those who want no more. */
export function findingSummary({ rule, occurrences }: Finding, symbol: string): string {
  const message = occurrences[0]?.judgement.message ?? rule.statement
  return `${symbol} ${rule.id}: ${ellipsis(escapeForTerminal(message), 300)} (${count(occurrences.length, 'result')})`
}
