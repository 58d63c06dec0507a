import type { Report, ReportStart, Result } from '../../../spec/model/report.js'
import { jsonLine } from '../json.js'
import { type TestOutcome, testOutcomes } from '../shared/test-outcomes.js'

/** The first line: what is known before anything is sent, and the ids of all results that are to follow. */
export type HeaderLine = { readonly type: 'header'; readonly ids: readonly string[] } & ReportStart
/** A line for each result, in whatever order they finish. */
export type ResultLine = { readonly type: 'result' } & Result
/** The last line. Without it the stream was cut short. */
export type FooterLine = {
  readonly type: 'footer'
  /** Which results turned out to be waived, once the run had ended. */
  readonly waived: Readonly<Record<string, Result['waived']>>
  /** What a test framework shows: for the adapters, so that what a result means is decided here. */
  readonly tests: readonly TestOutcome[]
} & Omit<Report, keyof ReportStart | 'results'>

export function headerLine(start: ReportStart, ids: readonly string[]): string {
  return jsonLine({ type: 'header', ...start, ids } satisfies HeaderLine)
}

export function resultLine(result: Result): string {
  return jsonLine({ type: 'result', ...result } satisfies ResultLine)
}

export function footerLine(report: Report): string {
  const { durationMs, verdict, counts, rules, observations, limits, trouble, accounts, stops, baseline } =
    report
  const waived = Object.fromEntries(
    report.results.flatMap(({ id, waived }) => (waived ? [[id, waived]] : [])),
  )
  return jsonLine({
    type: 'footer',
    durationMs,
    verdict,
    counts,
    rules,
    observations,
    limits,
    trouble,
    accounts,
    ...(stops === undefined ? {} : { stops }),
    ...(baseline === undefined ? {} : { baseline }),
    waived,
    tests: testOutcomes(report),
  } satisfies FooterLine)
}

/** What a run that has ended would have streamed, in the order of its plan. */
export function renderNdjson(report: Report): string {
  const { schemaVersion, suite, target, startedAt, seed, selection, plan, results } = report
  const { profiles, requirements } = report
  const start = {
    ...{ schemaVersion, suite, target, startedAt, seed, plan },
    ...(profiles === undefined ? {} : { profiles }),
    ...(requirements === undefined ? {} : { requirements }),
  }
  return [
    headerLine(
      selection === undefined ? start : { ...start, selection },
      results.map(({ id }) => id),
    ),
    ...results.map(resultLine),
    footerLine(report),
  ].join('')
}
