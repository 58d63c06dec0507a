import { AssayError } from '../../spec/model/assay-error.js'
import type { Report } from '../../spec/model/report.js'
import type { AssessOptions } from '../assess/assess.js'
import type { TargetInput } from '../target/target-input.js'
import { assessCases, notAwaited } from './assess-cases.js'

/** The part of `this` in a test of mocha that the adapter needs. */
export interface MochaContext {
  timeout(ms: number): unknown
  readonly test?: MochaTest | undefined
}

export interface MochaTest {
  readonly title: string
  readonly parent?: MochaSuite | undefined
}

export interface MochaSuite {
  readonly ctx: unknown
  afterAll?(title: string, body: () => void): unknown
  // Its parameter is another class in each version of the types.
  addSuite(suite: never): unknown
}

/**
 * Gives every case as a test of a suite that follows the caller's own test and has its title. What the target does not
 * declare is pending, with its reason in the title; what could not be judged fails.
 *
 * @param context `this` of the caller's test, which has to be a `function`
 * @throws AssayError for a target or a selection that will not do
 */
export async function conformance(
  context: MochaContext,
  target: TargetInput,
  options: AssessOptions = {},
): Promise<Report> {
  const test = context?.test
  const parent = test?.parent
  if (test === undefined || parent === undefined)
    throw new AssayError(
      'usage',
      "conformance: expected mocha's `this`, which an arrow function does not have",
    )
  // The deadlines of the assessment are its own; mocha's two seconds are for a unit.
  context.timeout(0)
  let isAssessed = false
  parent.afterAll?.('conformance', () => {
    if (!isAssessed) throw notAwaited()
  })
  const { report, cases } = await assessCases(target, options)
  isAssessed = true

  // mocha's own classes, from what it gave: an import might find another copy of it.
  const { Suite, Test } = { Suite: parent.constructor, Test: test.constructor } as MochaClasses
  const suite = new Suite(test.title, parent.ctx)
  for (const { title, skipped, verify } of cases)
    suite.addTest(skipped === undefined ? new Test(title, verify) : new Test(`${title} (${skipped})`))
  parent.addSuite(suite as never)
  return report
}

// What mocha documents, and no type of an object says: which class it is of.
interface MochaClasses {
  readonly Suite: new (title: string, ctx: unknown) => { addTest(test: object): unknown }
  readonly Test: new (title: string, body?: () => void) => object
}
