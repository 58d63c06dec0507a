import { escapeForTerminal, visible } from '../shared/escape.js'
import type { FailedRule, Occurrence } from '../shared/failures.js'
import { labelled, type Page, textColumn } from '../shared/page.js'
import { count, nameOf } from '../shared/phrase.js'
import { ellipsis, wrap } from '../shared/wrap.js'
import { evidenceKey, occurrenceLines } from './occurrence.js'

const MAX_OTHERS = 6

/**
 * One rule that does not hold: its first result in full, the others in a line each.
 * `shown` remembers which exchanges are shown above already, and under which rule.
 */
export function failedRuleLines(
  finding: FailedRule,
  page: Page,
  shown: Map<string, string>,
  symbol: string,
): string[] {
  const { rule, occurrences } = finding
  const { colors } = page
  // A result whose exchange is not printed yet says more than one that is, a case about the rule's own section more than
  // one about another, and a plain case is read sooner than a search.
  const unseen = occurrences.filter((occurrence) => !shown.has(evidenceKey(occurrence)))
  // In a namespace the plan goes from plain cases to special ones, whatever their section.
  const [area] = /^[^:]*:/.exec(rule.section) ?? [`${rule.section}/`]
  const own = unseen.filter(({ result }) => result.case.startsWith(area))
  const fresh = own.length > 0 ? own : unseen
  const isPlain = ({ judgement }: Occurrence): boolean => !judgement.counterexample && !!judgement.replay
  const first = fresh.find(isPlain) ?? fresh[0] ?? occurrences[0]
  if (!first) return []
  const others = occurrences.filter((occurrence) => occurrence !== first)
  return [
    `${symbol} ${colors.bold(visible(rule.id))} ${colors.dim(visible(`(section ${rule.section}, ${rule.level})`))}`,
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
  // One result may break a rule in more than one step.
  const lines = new Set(
    others.flatMap(({ result, judgement: { message } }) => {
      if (message !== undefined && message !== first.judgement.message) return `${nameOf(result)}: ${message}`
      return result === first.result ? [] : nameOf(result)
    }),
  )
  if (lines.size === 0) return []
  const room = page.width - textColumn
  const max = lines.size === MAX_OTHERS + 1 ? lines.size : MAX_OTHERS
  const shown = [...lines].slice(0, max).flatMap((line) => wrap(visible(line), room))
  const more = lines.size > max ? [`and ${lines.size - max} more`] : []
  return labelled('also in', [...shown, ...more], page)
}

/** A finding in one line, for those who want no more. */
export function failedRuleSummary({ rule, occurrences }: FailedRule, symbol: string): string {
  const message = occurrences[0]?.judgement.message ?? rule.statement
  return `${symbol} ${visible(rule.id)}: ${ellipsis(escapeForTerminal(message), 300)} (${count(occurrences.length, 'result')})`
}

/** A line each, where the first occurrence has them. */
export function expectedAndActual({ occurrences }: FailedRule): readonly string[] {
  const { expected, actual } = occurrences[0]?.judgement ?? {}
  return Object.entries({ expected, actual }).flatMap(([name, text]) =>
    text === undefined ? [] : `  ${name.padEnd(10)}${ellipsis(escapeForTerminal(text), 300)}`,
  )
}
