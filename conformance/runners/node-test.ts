import type { Report } from '../../spec/model/report.js'
import type { AssessOptions } from '../assess/assess.js'
import type { TargetInput } from '../target/target-input.js'
import { assessCases } from './assess-cases.js'

/** The part of a `TestContext` of `node:test` that the adapter needs. */
export interface NodeTest {
  test(name: string, options: { skip: string | false }, body: () => void): Promise<unknown>
}

/**
 * Gives every case as a subtest of the caller's own test of `node:test`. What the target does not declare is skipped with
 * its reason; what could not be judged fails.
 *
 * @throws AssayError for a target or a selection that will not do
 */
export async function conformance(
  t: NodeTest,
  target: TargetInput,
  options: AssessOptions = {},
): Promise<Report> {
  const { report, cases } = await assessCases(target, options)
  for (const { title, skipped, verify } of cases) await t.test(title, { skip: skipped ?? false }, verify)
  return report
}
