import type { Counterexample, Judgement, ReportExchange, Result } from '../spec/types.js'
import { exchangeLines, exchangeSummary } from './console-exchange.js'
import { diffLines } from './diff.js'
import { visible } from './escape.js'
import type { Occurrence } from './findings.js'
import { labelled, type Page, textColumn } from './page.js'
import { count, shellQuote } from './phrase.js'
import { atMost, wrap } from './wrap.js'

const MOST_LINES = 8

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
  const steps = result.exchanges.filter(({ label }) => label !== 'control' && label !== 'control again')
  const full = (steps.length > 0 ? steps : result.exchanges).slice(-2)
  const inBrief = (name: string, exchanges: readonly ReportExchange[]): string[] =>
    exchanges.length === 0
      ? []
      : labelled(
          name,
          exchanges.map((exchange) => exchangeSummary(exchange, page)),
          page,
        )
  const from = result.exchanges.findIndex((exchange) => full.includes(exchange))
  const rest = result.exchanges.slice(from).filter((exchange) => !full.includes(exchange))
  return [
    ...inBrief('before', result.exchanges.slice(0, Math.max(from, 0))),
    ...full.flatMap((exchange) => exchangeLines(exchange, page)),
    ...inBrief('after', rest),
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
