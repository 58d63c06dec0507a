import { exchangesOf, type Report, type Result } from '../spec/model/report.js'
import { type AssessOptions, assess } from './assess.js'
import type { TargetInput } from './target/target-input.js'

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
  const report = await assess(target, options)
  const levels = new Map(report.rules.map(({ id, level }) => [id, level]))
  for (const result of report.results) {
    const skipped = result.outcome === 'inapplicable' || result.outcome === 'untested'
    await t.test(
      `${result.id}: ${result.title}`,
      { skip: skipped ? (result.reason ?? result.outcome) : false },
      // A promise: tap waits for the end of a body that gives none.
      async (subtest) => tell(subtest, result, (rule) => levels.get(rule) === 'should' && !options.strict),
    )
  }
  return report
}

function tell(t: TapAssertions, result: Result, isAdvice: (rule: string) => boolean): void {
  for (const judgement of result.judgements) {
    const { rule, outcome, message, reason, expected, actual, pointer } = judgement
    const bad = (outcome === 'failed' || outcome === 'cantTell') && !isAdvice(rule)
    const text = [rule, message ?? reason].filter((part) => part !== undefined).join(': ')
    if (!bad) {
      t.pass(outcome === 'passed' ? rule : `${text} (${outcome})`)
      continue
    }
    const { counterexample, reproduce, replay } = judgement
    const exchanges = exchangesOf(result, judgement)
    t.fail(text, {
      // Where in the adapter it was found says nothing about the service.
      at: null,
      stack: '',
      ...{ outcome, expected, actual, pointer, counterexample, reproduce, replay, exchanges },
    })
  }
}
