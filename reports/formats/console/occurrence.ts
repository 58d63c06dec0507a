import type { Report, Result } from '../../../spec/model/report.js'
import {
  type Counterexample,
  exchangesOf,
  type Judgement,
  type ReportExchange,
} from '../../../spec/model/report.js'
import { diffLines } from '../shared/diff.js'
import { printedLines, visible } from '../shared/escape.js'
import { explainHint, headline, notable, type Occurrence } from '../shared/failures.js'
import { createPage, labelled, type Page, textColumn } from '../shared/page.js'
import { nameOf, originOf, shellQuote } from '../shared/phrase.js'
import { atMost, wrap } from '../shared/wrap.js'
import { exchangeLines, exchangeSummary } from './exchange.js'

const MAX_LINES = 8

/** One failed judgement: the case, what is wrong, the exchange, the counterexample, and how to repeat it. */
export function occurrenceLines(
  { result, judgement }: Occurrence,
  page: Page,
  shown: Map<string, string>,
): string[] {
  const key = evidenceKey({ result, judgement })
  const above = page.verbose ? undefined : shown.get(key)
  if (above === undefined) shown.set(key, judgement.rule)
  return [
    ...labelled('in', wrap(visible(`${nameOf(result)}: ${result.title}`), page.width - textColumn), page),
    ...judgementLines(judgement, page),
    ...(above === undefined
      ? allExchangeLines(exchangesOf(result, judgement), page)
      : labelled('exchange', [visible(`as above, under ${above}`)], page)),
    ...(judgement.counterexample ? counterexampleLines(judgement.counterexample, page) : []),
    ...repeatLines(judgement, page),
  ]
}

/** The same for judgements that the same exchanges show, of several cases too: a refused login is not tried again. */
export function evidenceKey({ result, judgement }: Occurrence): string {
  const exchanges = exchangesOf(result, judgement).map(({ label: _, ...exchange }) => exchange)
  return JSON.stringify(exchanges.length > 0 ? exchanges : [result.id, judgement.exchanges])
}

function hintLines({ rule, outcome }: Judgement, page: Page): string[] {
  const hint = outcome === 'failed' ? explainHint(rule) : undefined
  return hint === undefined ? [] : labelled('more', [visible(hint)], page)
}

function judgementLines(judgement: Judgement, page: Page): string[] {
  const { expected, actual, pointer, others = [] } = judgement
  const message = judgement.message ?? judgement.reason
  const room = page.width - textColumn
  return [
    ...(message
      ? labelled(
          'because',
          atMost(wrap(visible(message), room), MAX_LINES).map((line) => page.colors.red(line)),
          page,
        )
      : []),
    ...(pointer ? labelled('at', [visible(pointer)], page) : []),
    ...(expected !== undefined && actual !== undefined
      ? diffLines(expected, actual, page)
      : [
          ...(expected === undefined
            ? []
            : labelled('expected', atMost(wrap(visible(expected), room), MAX_LINES), page)),
          ...(actual === undefined
            ? []
            : labelled('actual', atMost(wrap(visible(actual), room), MAX_LINES), page)),
        ]),
    ...labelled(
      'elsewhere',
      others.flatMap((other) => atMost(wrap(visible(`${other.message}: ${other.actual}`), room), MAX_LINES)),
      page,
    ),
  ]
}

function allExchangeLines(all: readonly ReportExchange[], page: Page): string[] {
  if (page.verbose) return all.flatMap((exchange) => exchangeLines(exchange, page, all.length > 1))
  // Controls only show that the server works; of many steps the last is what the case leads to.
  const steps = all.filter(({ label }) => label !== 'control' && label !== 'control again')
  const full = (steps.length > 0 ? steps : all).slice(-2)
  const inBrief = (name: string, exchanges: readonly ReportExchange[]): string[] =>
    exchanges.length === 0
      ? []
      : labelled(
          name,
          exchanges.map((exchange) => exchangeSummary(exchange, page)),
          page,
        )
  const from = all.findIndex((exchange) => full.includes(exchange))
  const rest = all.slice(from).filter((exchange) => !full.includes(exchange))
  return [
    ...inBrief('before', all.slice(0, Math.max(from, 0))),
    // Of two, the names say which step is which.
    ...full.flatMap((exchange) => exchangeLines(exchange, page, full.length > 1)),
    ...inBrief('after', rest),
  ]
}

function counterexampleLines(counterexample: Counterexample, page: Page): string[] {
  const { values } = counterexample
  const room = page.width - textColumn
  const lines = Object.entries(values).flatMap(([name, value]) =>
    wrap(visible(`${name} = ${JSON.stringify(value)}`), room),
  )
  return labelled('found with', [...lines, page.colors.dim(visible(originOf(counterexample)))], page)
}

function repeatLines({ reproduce, replay }: Judgement, page: Page): string[] {
  // Neither is wrapped: they are there to be copied.
  const lines = [
    ...(reproduce === undefined ? [] : reproduce.split('\n').map(visible)),
    ...(replay === undefined ? [] : [visible(`${page.command} --replay ${shellQuote(replay)}`)]),
  ]
  return lines.length > 0 ? labelled('repeat', lines, page) : []
}

export type ResultContext = Pick<Report, 'rules' | 'command'>

/** What machines' readers show of one result: as on the console, without colour, at a fixed width. */
export function plainResult(result: Result, { rules, command }: ResultContext): string {
  const page = createPage({ color: false, width: 100, command })
  const shown = new Map<string, string>()
  const lines = notable(result).flatMap((judgement) => [
    `${judgement.rule}: ${judgement.outcome}`,
    ...rules
      .filter(({ id }) => id === judgement.rule)
      .flatMap(({ statement }) => labelled('rule', wrap(visible(statement), page.width - textColumn), page)),
    ...occurrenceLines({ result, judgement }, page, shown),
    ...hintLines(judgement, page),
  ])
  return (lines.length > 0 ? lines : [visible(headline(result))])
    .flatMap((line) => printedLines([line]).slice(0, -1))
    .join('\n')
}
