import type { Counterexample, Judgement, Result } from '../spec/types.js'
import { exchangeLines, exchangeSummary } from './console-exchange.js'
import { diffLines } from './diff.js'
import { ellipsis } from './display-width.js'
import { escapeForTerminal, visible } from './escape.js'
import type { Finding, Occurrence } from './findings.js'
import { labelled, type Page, textColumn } from './page.js'
import { count, shellQuote } from './phrase.js'
import { atMost, wrap } from './wrap.js'

const MOST_OTHERS = 6
const MOST_LINES = 8

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

/** One failed judgement: the case, what is wrong, the exchange, the counterexample, and how to repeat it. */
export function occurrenceLines(
  { result, judgement }: Occurrence,
  page: Page,
  shown: Map<string, string>,
): string[] {
  const above = page.verbose ? undefined : shown.get(result.id)
  if (above === undefined) shown.set(result.id, judgement.rule)
  return [
    ...labelled('in', wrap(visible(`${result.id}: ${result.title}`), page.width - textColumn), page),
    ...judgementLines(judgement, page),
    ...(above === undefined
      ? resultExchangeLines(result, page)
      : labelled('exchange', [`as above, under ${above}`], page)),
    ...(result.counterexample ? counterexampleLines(result.counterexample, page) : []),
    ...repeatLines(result, page),
  ]
}

function judgementLines(judgement: Judgement, page: Page): string[] {
  const { expected, actual, pointer } = judgement
  const message = judgement.message ?? judgement.reason
  const room = page.width - textColumn
  return [
    ...(message
      ? labelled(
          'because',
          atMost(wrap(visible(message), room), MOST_LINES).map((line) => page.colors.red(line)),
          page,
        )
      : []),
    ...(pointer ? labelled('at', [visible(pointer)], page) : []),
    ...(expected !== undefined && actual !== undefined
      ? diffLines(expected, actual, page)
      : [
          ...(expected === undefined
            ? []
            : labelled('expected', atMost(wrap(visible(expected), room), MOST_LINES), page)),
          ...(actual === undefined
            ? []
            : labelled('actual', atMost(wrap(visible(actual), room), MOST_LINES), page)),
        ]),
  ]
}

function resultExchangeLines(result: Result, page: Page): string[] {
  if (page.verbose) return result.exchanges.flatMap((exchange) => exchangeLines(exchange, page))
  // Controls only show that the server works; of many steps the last is what the case leads to.
  const steps = result.exchanges.filter(({ label }) => label !== 'control')
  const full = (steps.length > 0 ? steps : result.exchanges).slice(-2)
  const brief = result.exchanges.filter((exchange) => !full.includes(exchange))
  return [
    ...(brief.length > 0
      ? labelled(
          'before',
          brief.map((exchange) => exchangeSummary(exchange, page)),
          page,
        )
      : []),
    ...full.flatMap((exchange) => exchangeLines(exchange, page)),
  ]
}

function counterexampleLines({ values, shrinks, seed, path }: Counterexample, page: Page): string[] {
  const room = page.width - textColumn
  const lines = Object.entries(values).flatMap(([name, value]) =>
    wrap(visible(`${name} = ${JSON.stringify(value)}`), room),
  )
  const origin = `${shrinks === 0 ? 'as generated' : `shrunk ${count(shrinks, 'time')}`}; seed ${seed}, path ${path}`
  return labelled('found with', [...lines, page.colors.dim(visible(origin))], page)
}

function repeatLines({ reproduce, replay }: Result, page: Page): string[] {
  // Neither is wrapped: they are there to be copied.
  const lines = [
    ...(reproduce === undefined ? [] : reproduce.split('\n').map(visible)),
    ...(replay === undefined ? [] : [`token-assay run … --replay ${visible(shellQuote(replay))}`]),
  ]
  return lines.length > 0 ? labelled('repeat', lines, page) : []
}

function othersLines(first: Occurrence, others: readonly Occurrence[], page: Page): string[] {
  if (others.length === 0) return []
  const lines = others
    .slice(0, others.length === MOST_OTHERS + 1 ? others.length : MOST_OTHERS)
    .flatMap((other) => {
      const { message } = other.judgement
      const differs = message !== undefined && message !== first.judgement.message
      return wrap(
        visible(differs ? `${other.result.id}: ${message}` : other.result.id),
        page.width - textColumn,
      )
    })
  const more =
    others.length > MOST_OTHERS + 1 ? [`and ${count(others.length - MOST_OTHERS, 'more result')}`] : []
  return labelled('also in', [...lines, ...more], page)
}

/** A finding in one line, for those who want no more. */
export function findingSummary({ rule, occurrences }: Finding, symbol: string): string {
  const message = occurrences[0]?.judgement.message ?? rule.statement
  return `${symbol} ${rule.id}: ${ellipsis(escapeForTerminal(message), 300)} (${count(occurrences.length, 'result')})`
}
