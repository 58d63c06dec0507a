import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import type { AssessOptions } from '../assess/assess.js'
import type { TargetInput } from '../target/target-input.js'
import { assessCases, notAwaited } from './assess-cases.js'

/** The part of vitest's `test` that the adapter needs. */
export type VitestTest = (name: string, body: (context: VitestContext) => void) => unknown

export interface VitestContext {
  readonly skip: (note?: string) => void
}

/**
 * Declares every case as a test of the caller's file. vitest wants its tests declared before it runs any: call it with
 * `await` at the top of a file, or in an async `describe`; the service is assessed then, before any hook runs. What the
 * target does not declare is skipped with its reason; what could not be judged fails. One test more fails where `await` is
 * missing.
 *
 * @throws AssayError for a target or a selection that will not do, and in a hook or a test, whose tests vitest drops
 */
export async function conformance(
  test: VitestTest,
  target: TargetInput,
  options: AssessOptions = {},
): Promise<Report> {
  assertCollecting()
  let isAssessed = false
  test('conformance: the service is assessed before the tests run', () => {
    if (!isAssessed) throw notAwaited()
  })
  const { report, cases } = await assessCases(target, options)
  assertCollecting()
  isAssessed = true
  for (const { title, skipped, verify } of cases)
    test(title, ({ skip }) => (skipped === undefined ? verify() : skip(skipped)))
  return report
}

/** Of vitest 2 to 4, what runs: a suite, a file too, has a result from its first hook on. */
declare const __vitest_worker__:
  | { readonly current?: { readonly result?: { readonly state?: string } } }
  | undefined

/** @throws AssayError where tests that are declared now never run, without a word */
function assertCollecting(): void {
  if (typeof __vitest_worker__ === 'object' && __vitest_worker__.current?.result?.state === 'run')
    throw new AssayError(
      'usage',
      'conformance: expected a call with `await` at the top of a file, or in an async `describe`: vitest drops tests that are declared later, in a hook or a test',
    )
}
