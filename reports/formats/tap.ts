import type { Judgement, Report, Result } from '../../spec/model/report.js'
import type { GateEffect } from '../../spec/model/verdict.js'
import { jsonLine } from './json.js'
import { escapeForTerminal } from './shared/escape.js'
import { explainHint, headline } from './shared/failures.js'
import { gateOf } from './shared/gate.js'
import { isQuick, stopSentences } from './shared/verdict-sentence.js'

/**
 * TAP version 14: one test point per result, and one for each problem of the run as a whole. What gates is not ok, with
 * diagnostics; what does not apply or was left out is skipped; a failure that does not gate is a TODO. Where less was judged
 * than was planned, the last line is `Bail out!` with the reasons.
 */
export function renderTap(report: Report): string {
  const { results } = report
  const { effectOf, problems } = gateOf(report)
  const size = results.length + problems.length
  const plan = size === 0 ? '1..0 # SKIP nothing was planned' : `1..${size}`
  const points = results.flatMap((result, index) => testPoint(result, effectOf(result), index + 1))
  const ofRun = problems.flatMap(({ title, message }, index) => [
    `not ok ${results.length + index + 1} - ${tapText(`run: ${title}`)}`,
    ...['  ---', `  message: ${yamlValue(message)}`, '  ...'],
  ])
  const stops = stopSentences(report)
  const end = [
    `# ${report.verdict}${isQuick(report) ? ' (--effort quick)' : ''}, seed ${report.seed}`,
    ...(stops.length === 0 ? [] : [`Bail out! ${tapText(stops.join(' '))}`]),
  ]
  return `${['TAP version 14', plan, ...points, ...ofRun, ...end].join('\n')}\n`
}

function testPoint(result: Result, effect: GateEffect, number: number): string[] {
  const description = `${number} - ${tapText(`${result.id} ${result.title}`)}`
  switch (effect) {
    case 'passed':
      return [`ok ${description} # time=${result.durationMs}ms`]
    case 'skipped':
      return [`ok ${description} # SKIP ${tapText(headline(result))}`]
    case 'waived':
    case 'advice':
      return [`not ok ${description} # TODO ${tapText(headline(result))}`, ...diagnostics(result)]
    case 'broken':
    case 'inconclusive':
    case 'stopped':
      return [`not ok ${description}`, ...diagnostics(result)]
  }
}

/** YAML with every value in JSON's spelling, which YAML reads too: one line each, nothing to break out of. */
function diagnostics(result: Result): string[] {
  const judgements = result.judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  const entries = [
    ['outcome', result.outcome],
    ['reason', result.reason],
    ['durationMs', result.durationMs],
  ] as const
  return [
    '  ---',
    ...entries.flatMap(([key, value]) => (value === undefined ? [] : [`  ${key}: ${yamlValue(value)}`])),
    ...(judgements.length > 0 ? ['  judgements:'] : []),
    ...judgements.flatMap((judgement) =>
      Object.entries(shownParts(judgement)).map(
        ([key, value], index) => `    ${index === 0 ? '-' : ' '} ${key}: ${yamlValue(value)}`,
      ),
    ),
    '  ...',
  ]
}

/** The exchanges are not in this format, so neither are their places. */
function shownParts({
  exchanges: _,
  ...shown
}: Judgement): Omit<Judgement, 'exchanges'> & { readonly explain?: string } {
  const explain = shown.outcome === 'failed' ? explainHint(shown.rule) : undefined
  return explain === undefined ? shown : { ...shown, explain }
}

function yamlValue(value: string | number | boolean | object): string {
  if (typeof value === 'string') return JSON.stringify(escapeForTerminal(value))
  return typeof value !== 'object' ? String(value) : jsonLine(value).trimEnd()
}

/** Free text on a test line: `#` would begin a directive, and the backslash is what escapes it. */
function tapText(text: string): string {
  return escapeForTerminal(text).replace(/[\\#]/g, '\\$&')
}
