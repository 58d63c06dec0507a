import type { Outcome, Report, Result } from '../spec/types.js'
import { jsonText } from './json.js'
import { headline, notable, plainResult } from './plain-result.js'

/** What CTRF calls an outcome: `other` is the one that is neither green nor red, `pending` what was not run. */
const STATUS = {
  passed: 'passed',
  failed: 'failed',
  cantTell: 'other',
  inapplicable: 'skipped',
  untested: 'pending',
} as const satisfies Readonly<Record<Outcome, string>>

/** The Common Test Report Format (ctrf.io): a test per result, its deployment and section as the suite. */
export function renderCtrf(report: Report): string {
  const { counts, suite, startedAt, durationMs } = report
  const start = Date.parse(startedAt)
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: report.results.length,
        passed: counts.passed,
        failed: counts.failed,
        skipped: counts.inapplicable,
        pending: counts.untested,
        other: counts.cantTell,
        suites: new Set(report.results.map(({ deployment }) => deployment)).size,
        start,
        stop: start + Math.round(durationMs),
        extra: { verdict: report.verdict, waived: counts.waived, seed: report.seed },
      },
      tests: report.results.map(test),
    },
  })
}

function test(result: Result): object {
  const { outcome, deployment, title, durationMs, waived, replay } = result
  const section = result.case.split('/')[0] ?? ''
  const red = outcome === 'failed' || outcome === 'cantTell'
  return {
    name: `${result.case} ${title}`,
    status: STATUS[outcome],
    // Of whole milliseconds only.
    duration: Math.round(durationMs),
    suite: [deployment, `section ${section}`],
    rawStatus: outcome,
    ...(outcome === 'passed' ? {} : { message: headline(result) }),
    ...(red ? { trace: plainResult(result) } : {}),
    ...(red && notable(result).length > 0 ? { tags: notable(result).map(({ rule }) => rule) } : {}),
    extra: {
      id: result.id,
      ...(replay === undefined ? {} : { replay }),
      ...(waived === undefined ? {} : { waived }),
    },
  }
}
