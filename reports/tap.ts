import type { Report, Result } from '../spec/types.js'
import { escapeForTerminal } from './escape.js'
import { headline } from './plain-result.js'

/**
 * TAP version 14: one test point per result. `cantTell` is not ok, and says so in its diagnostics; what does not
 * apply or was not run is skipped; a waived failure is a TODO, which is how TAP says "known, and does not gate".
 */
export function renderTap(report: Report): string {
  const { results } = report
  const plan = results.length === 0 ? '1..0 # SKIP nothing was planned' : `1..${results.length}`
  const points = results.flatMap((result, index) => testPoint(result, index + 1))
  return `${['TAP version 14', plan, ...points, `# ${report.verdict}, seed ${report.seed}`].join('\n')}\n`
}

function testPoint(result: Result, number: number): string[] {
  const description = `${number} - ${tapText(`${result.id} ${result.title}`)}`
  switch (result.outcome) {
    case 'passed':
      return [`ok ${description} # time=${result.durationMs}ms`]
    case 'inapplicable':
    case 'untested':
      return [`ok ${description} # SKIP ${tapText(headline(result))}`]
    case 'failed':
    case 'cantTell':
      return [
        `not ok ${description}${result.waived ? ` # TODO ${tapText(headline(result))}` : ''}`,
        ...diagnostics(result),
      ]
  }
}

/** YAML with every value in JSON's spelling, which YAML reads too: one line each, nothing to break out of. */
function diagnostics(result: Result): string[] {
  const judgements = result.judgements.filter(({ outcome }) => outcome === 'failed' || outcome === 'cantTell')
  const entries = [
    ['outcome', result.outcome],
    ['reason', result.reason],
    ['durationMs', result.durationMs],
    ['reproduce', result.reproduce],
    ['replay', result.replay],
  ] as const
  return [
    '  ---',
    ...entries.flatMap(([key, value]) => (value === undefined ? [] : [`  ${key}: ${yamlValue(value)}`])),
    ...(judgements.length > 0 ? ['  judgements:'] : []),
    ...judgements.flatMap((judgement) =>
      Object.entries(judgement).map(
        ([key, value], index) => `    ${index === 0 ? '-' : ' '} ${key}: ${yamlValue(value)}`,
      ),
    ),
    '  ...',
  ]
}

function yamlValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(escapeForTerminal(value))
}

/** Free text on a test line: `#` would begin a directive, and the backslash is what escapes it. */
function tapText(text: string): string {
  return escapeForTerminal(text).replace(/[\\#]/g, '\\$&')
}
