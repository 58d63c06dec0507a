import type { Report } from '../../spec/model/report.js'
import type { AssessOptions } from '../assess/assess.js'
import type { TargetInput } from '../target/target-input.js'
import { assessCases } from './assess-cases.js'

/** The part of a tap test that the adapter needs; tap itself is an optional peer. */
export interface TapTest {
  test(name: string, options: { skip?: string | false }, body: (t: TapAssertions) => Promise<void>): unknown
}

export interface TapAssertions {
  pass(message: string): unknown
  fail(message: string, extra: Record<string, unknown>): unknown
}

/**
 * Gives every case as a subtest of the caller's own tap test: one assertion for each judgement. What the target does not
 * declare is skipped with its reason; what could not be judged fails.
 *
 * @throws AssayError for a target or a selection that will not do
 */
export async function conformance(
  t: TapTest,
  target: TargetInput,
  options: AssessOptions = {},
): Promise<Report> {
  const { report, cases } = await assessCases(target, options)
  // A promise: tap waits for the end of a body that gives none.
  for (const { title, skipped, judgements } of cases)
    await t.test(title, { skip: skipped ?? false }, async (subtest) => {
      for (const { text, isFailure, details } of judgements)
        if (isFailure) {
          // Where in the adapter it was found says nothing about the service.
          subtest.fail(text, { at: null, stack: '', ...details })
        } else subtest.pass(text)
    })
  return report
}
