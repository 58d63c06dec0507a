import { digest } from '../../spec/model/digest.js'
import type { Report, Result } from '../../spec/model/report.js'
import type { GateEffect } from '../../spec/model/verdict.js'
import { plainResult } from './console/occurrence.js'
import { jsonText } from './json.js'
import { visible } from './shared/escape.js'
import { headline, notable } from './shared/failures.js'
import { gateOf, type RunProblem } from './shared/gate.js'
import type { ReportFile } from './shared/report-file.js'
import { runProblems } from './shared/run-problems.js'
import { isQuick } from './shared/verdict-sentence.js'

type AllureStatus = 'passed' | 'failed' | 'broken' | 'skipped'

/** Red is what gates: `failed` breaks a rule, `broken` could not be judged. */
const STATUS = {
  passed: 'passed',
  broken: 'failed',
  inconclusive: 'broken',
  stopped: 'broken',
  waived: 'skipped',
  advice: 'skipped',
  skipped: 'skipped',
} as const satisfies Readonly<Record<GateEffect, AllureStatus>>

/** What a file says of one test, beside what all of them say. */
interface AllureTest {
  /** The same in every run. */
  readonly id: string
  readonly name: string
  readonly status: AllureStatus
  readonly durationMs: number
  /** Suite and part of it. */
  readonly suite: string
  readonly subSuite: string
  readonly tags?: readonly string[]
  readonly message?: string
  readonly trace?: string
}

/** Results of Allure 2: a file for each result, and for each problem of the run as a whole. */
export function allureFiles(report: Report): readonly ReportFile[] {
  const { effectOf } = gateOf(report)
  return [
    ...report.results.map((result) => testOf(result, STATUS[effectOf(result)], report)),
    ...runProblems(report).map(problemTest),
    ...(isQuick(report) ? [QUICK] : []),
  ].map((test) => fileOf(test, report))
}

function testOf(result: Result, status: AllureStatus, report: Report): AllureTest {
  const isRed = result.outcome === 'failed' || result.outcome === 'cantTell'
  return {
    id: result.id,
    name: `${result.case} ${result.title}`,
    status,
    durationMs: result.durationMs,
    suite: result.deployment,
    subSuite: `section ${result.case.split('/')[0] ?? ''}`,
    ...(result.outcome === 'passed' ? {} : { message: headline(result) }),
    ...(isRed ? { tags: notable(result).map(({ rule }) => rule), trace: plainResult(result, report) } : {}),
  }
}

const OF_RUN = { durationMs: 0, suite: 'run', subSuite: 'run' } as const

function problemTest({ effect, title, message }: RunProblem, index: number): AllureTest {
  return {
    ...OF_RUN,
    id: `run/${index + 1}: ${title}`,
    name: `run: ${title}`,
    status: STATUS[effect],
    message,
  }
}

const QUICK: AllureTest = {
  ...OF_RUN,
  id: 'run/quick',
  name: 'run: all inputs are tried',
  status: 'skipped',
  message: 'Only the likeliest mistakes were tried (--effort quick).',
}

function fileOf(test: AllureTest, { target, suite, startedAt, seed }: Report): ReportFile {
  const { id, name, status, durationMs, message, trace, tags = [] } = test
  const start = Date.parse(startedAt)
  const labels = [
    ['framework', suite.name],
    ['parentSuite', target.name],
    ['suite', test.suite],
    ['subSuite', test.subSuite],
    ...Array.from(new Set(tags), (tag) => ['tag', tag] as const),
  ].map(([name, value]) => ({ name, value: visible(value ?? '') }))
  const result = {
    uuid: uuidOf(digest([target.name, id, startedAt, seed]), digest([id, seed, startedAt])),
    // Of one of several services in one report too.
    historyId: digest([target.name, id]),
    testCaseId: digest(id),
    fullName: visible(id),
    name: visible(name),
    status,
    stage: 'finished',
    ...{ start, stop: start + Math.round(durationMs) },
    statusDetails: { ...(message && { message: visible(message) }), ...(trace && { trace }) },
    labels,
    ...{ steps: [], attachments: [], parameters: [], links: [] },
  }
  return { name: `token-assay-${digest([target.name, id])}-result.json`, text: jsonText(result) }
}

/** A UUID (version 8, of a form of one's own) from two times 16 hexadecimal digits. */
function uuidOf(first: string, second: string): string {
  const digits = `${first.slice(0, 12)}8${first.slice(13)}8${second.slice(1)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
