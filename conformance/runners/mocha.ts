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
  /** `hook` of a hook. */
  readonly type?: string | undefined
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
export function conformance(
  context: MochaContext,
  target: TargetInput,
  options: AssessOptions = {},
): Promise<Report> {
  if (isSuite(context)) return Promise.reject(failSuite(context))
  const { test } = context ?? {}
  // A hook may run for every test, those of the cases too; after the last test of a suite, further ones are dropped.
  if (test?.type === 'hook') throw misplaced('in a hook')
  const parent = test?.parent
  // Thrown here, and not by the promise: mocha ignores one that is not awaited.
  if (test === undefined || parent === undefined)
    throw new AssayError(
      'usage',
      "conformance: expected mocha's `this`, which an arrow function does not have",
    )
  return assessInTest(context, { test, parent }, target, options)
}

async function assessInTest(
  context: MochaContext,
  { test, parent }: { readonly test: MochaTest; readonly parent: MochaSuite },
  target: TargetInput,
  options: AssessOptions,
): Promise<Report> {
  // The deadlines of the assessment are its own; mocha's two seconds are for a unit.
  context.timeout(0)
  let failing: readonly AddedTest[] | undefined
  parent.afterAll?.('conformance', () => {
    if (failing === undefined) throw notAwaited()
    // After `--bail`, the others are left out too.
    if (failing.length > 0 && failing.every(({ state }) => state === undefined)) throw leftOut(failing)
  })
  const { report, cases } = await assessCases(target, options)

  // mocha's own classes, from what it gave: an import might find another copy of it.
  const { Suite, Test } = { Suite: parent.constructor, Test: test.constructor } as MochaClasses
  const suite = new Suite(test.title, parent.ctx)
  const added = cases.map(({ title, skipped, verify }) =>
    skipped === undefined ? new Test(title, verify) : new Test(`${title} (${skipped})`),
  )
  for (const one of added) suite.addTest(one)
  parent.addSuite(suite as never)
  failing = added.filter((_, at) => cases[at]?.judgements.some(({ isFailure }) => isFailure))
  return report
}

/** The caller's own test passes, whatever the service does. */
function leftOut(failing: readonly AddedTest[]): AssayError {
  return new AssayError(
    'usage',
    `conformance: ${failing.length} of its cases would fail, but mocha left them out, as by \`--grep\`: the first is ${JSON.stringify(failing[0]?.title)}`,
  )
}

/** `this` of a `describe`. */
interface DescribedSuite {
  addTest(test: object): unknown
  /** Emits it with each hook that is added. */
  once(event: 'afterAll', listener: (hook: object) => void): unknown
  afterAll(title: string, body: () => void): unknown
}

function isSuite(context: object | undefined): context is DescribedSuite {
  return context !== undefined && 'addTest' in context && 'once' in context && 'afterAll' in context
}

/**
 * mocha ignores the promise of a `describe`: a test that fails shows the error. Where it is not run, as with `--grep`, the
 * last hook fails. That alone would not do: hooks of a suite without tests do not run.
 */
function failSuite(suite: DescribedSuite): AssayError {
  const error = misplaced('in a `describe`')
  let isShown = false
  const show = (): void => {
    if (isShown) return
    isShown = true
    throw error
  }
  // There may be no test yet to take the class from. A hook is run like one, as long as it is not tried again.
  suite.once('afterAll', (hook) => {
    const { Hook } = { Hook: hook.constructor } as {
      Hook: new (title: string, body: () => void) => MochaHook
    }
    const test = new Hook('conformance', show)
    suite.addTest(test)
    test.retries(0)
  })
  suite.afterAll('conformance', show)
  return error
}

interface MochaHook {
  retries(count: number): unknown
}

function misplaced(where: string): AssayError {
  return new AssayError(
    'usage',
    `conformance: expected a call with \`await\` in a test of its own, as in \`it('…', async function () { await conformance(this, …) })\`; it was called ${where}`,
  )
}

// What mocha documents, and no type of an object says: which class it is of.
interface MochaClasses {
  readonly Suite: new (title: string, ctx: unknown) => { addTest(test: object): unknown }
  readonly Test: new (title: string, body?: () => void) => AddedTest
}

interface AddedTest {
  readonly title: string
  /** Of one that has run. */
  readonly state?: string | undefined
}
