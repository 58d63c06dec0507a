import type { Report, Result } from '../../spec/model/report.js'
import type { GateEffect } from '../../spec/model/verdict.js'
import { plainResult, type ResultContext } from './console/occurrence.js'
import { jsonText } from './json.js'
import { failuresOf, headline, notable } from './shared/failures.js'
import { gateOf, type RunProblem } from './shared/gate.js'
import { verdictSentence } from './shared/verdict-sentence.js'

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

/** What CTRF calls it: `other` is neither green nor red, `pending` was not run. */
function statusOf(effect: GateEffect, { outcome }: Pick<Result, 'outcome'>): CtrfStatus {
  switch (effect) {
    case 'passed':
      return 'passed'
    case 'broken':
      return 'failed'
    case 'inconclusive':
    case 'stopped':
      return 'other'
    case 'waived':
    case 'advice':
      return 'skipped'
    case 'skipped':
      return outcome === 'inapplicable' ? 'skipped' : 'pending'
  }
}

/** The Common Test Report Format (ctrf.io): a test per result, its deployment and section as the suite. */
export function renderCtrf(report: Report): string {
  const { counts, suite, startedAt, durationMs } = report
  const start = Date.parse(startedAt)
  const { effectOf, problems } = gateOf(report)
  const tests = [
    ...report.results.map((result) => test(result, statusOf(effectOf(result), result), report)),
    ...problems.map(problemTest),
  ]
  const number = (status: CtrfStatus): number => tests.filter((each) => each.status === status).length
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: tests.length,
        passed: number('passed'),
        failed: number('failed'),
        skipped: number('skipped'),
        pending: number('pending'),
        other: number('other'),
        suites: new Set(report.results.map(({ deployment }) => deployment)).size,
        start,
        stop: start + Math.round(durationMs),
        extra: {
          verdict: report.verdict,
          summary: verdictSentence(report, failuresOf(report)),
          waived: counts.waived,
          seed: report.seed,
        },
      },
      tests,
    },
  })
}

/** Something that is wrong with the run as a whole. */
function problemTest({ effect, title, message }: RunProblem) {
  const status: CtrfStatus = effect === 'broken' ? 'failed' : 'other'
  return { name: `run: ${title}`, status, duration: 0, suite: ['run'], message }
}

function test(result: Result, status: CtrfStatus, context: ResultContext) {
  const { outcome, deployment, title, durationMs, waived, judgements } = result
  const replay = judgements.find((judgement) => judgement.replay !== undefined)?.replay
  const section = result.case.split('/')[0] ?? ''
  const red = outcome === 'failed' || outcome === 'cantTell'
  return {
    name: `${result.case} ${title}`,
    status,
    // Of whole milliseconds only.
    duration: Math.round(durationMs),
    suite: [deployment, `section ${section}`],
    rawStatus: outcome,
    ...(outcome === 'passed' ? {} : { message: headline(result) }),
    ...(red ? { trace: plainResult(result, context) } : {}),
    ...(red && notable(result).length > 0 ? { tags: notable(result).map(({ rule }) => rule) } : {}),
    extra: {
      id: result.id,
      ...(replay === undefined ? {} : { replay }),
      ...(waived === undefined ? {} : { waived }),
    },
  }
}
