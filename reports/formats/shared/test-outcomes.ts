import type { Report, Result } from '../../../spec/model/report.js'
import type { GateEffect } from '../../../spec/model/verdict.js'
import { plainResult } from '../console/occurrence.js'
import { visible } from './escape.js'
import { headline } from './failures.js'
import { gateOf } from './gate.js'
import { runProblems } from './run-problems.js'

/** A result as a test of any framework. What gates and what could not be judged has failed; nothing else has. */
export interface TestOutcome {
  readonly id: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why, in one line. None where it passed. */
  readonly message?: string
  /** What is wrong, what was exchanged and how to repeat it. Only where it failed. */
  readonly text?: string
}

const STATUS = {
  ...{ passed: 'passed', waived: 'skipped', advice: 'skipped', skipped: 'skipped' },
  ...{ broken: 'failed', inconclusive: 'failed', stopped: 'failed' },
} as const satisfies Readonly<Record<GateEffect, TestOutcome['status']>>

/** One for each result, and for each problem of the run as a whole: one has failed exactly where the exit code is not 0. */
export function testOutcomes(report: Report): readonly TestOutcome[] {
  const { effectOf } = gateOf(report)
  const problems = runProblems(report).map(
    ({ title, message }, index): TestOutcome => ({
      ...{ id: `run/${index + 1}`, title, status: 'failed' },
      ...{ message: visible(message), text: visible(message) },
    }),
  )
  return [...report.results.map((result) => outcomeOf(result, effectOf(result), report)), ...problems]
}

function outcomeOf(result: Result, effect: GateEffect, report: Report): TestOutcome {
  const { id, title } = result
  const status = STATUS[effect]
  if (status === 'passed') return { id, title, status }
  const unjudged = status === 'failed' && effect !== 'broken' ? 'could not be judged: ' : ''
  const message = visible(`${unjudged}${headline(result)}`)
  return { id, title, status, message, ...(status === 'failed' ? { text: plainResult(result, report) } : {}) }
}
