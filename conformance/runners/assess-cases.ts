import { stopsOf } from '../../reports/model/stop-cause.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { exchangesOf, type Report, type Result } from '../../spec/model/report.js'
import { type AssessOptions, assess } from '../assess/assess.js'
import type { TargetInput } from '../target/target-input.js'

/** One case as a test runner reports it. */
export interface CaseOfRunner {
  readonly title: string
  /** Why it was not judged, where that is no failure: the target does not declare it, or it was not run. */
  readonly skipped?: string
  readonly judgements: readonly JudgementOfRunner[]
  /** Throws one error that names every failed judgement; returns where there is none. */
  readonly verify: () => void
}

export interface JudgementOfRunner {
  readonly text: string
  readonly isFailure: boolean
  /** What a runner may show in addition to the text of a failure. */
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Assesses the target; every adapter reports these cases in its runner's way. What could not be judged is a failure, a
 * recommendation is one only with `strict`.
 *
 * @throws AssayError for a target or a selection that will not do
 */
export async function assessCases(
  target: TargetInput,
  options: AssessOptions,
): Promise<{ readonly report: Report; readonly cases: readonly CaseOfRunner[] }> {
  const report = await assess(target, options)
  const levels = new Map(report.rules.map(({ id, level }) => [id, level]))
  const isAdvice = (rule: string): boolean => levels.get(rule) === 'should' && !options.strict
  const cases = report.results.map((result) => caseOf(result, isAdvice))
  const isRed = cases.some(({ judgements }) => judgements.some(({ isFailure }) => isFailure))
  return { report, cases: isRed || report.verdict !== 'inconclusive' ? cases : [...cases, whole(report)] }
}

/** The runner is done before the service is assessed: without `await` all cases are lost, and nothing is red. */
export function notAwaited(): AssayError {
  return new AssayError(
    'usage',
    'conformance: expected `await` before it, or that its promise is returned; no case was judged in time',
  )
}

/** What was not run is skipped: of a run that was stopped, or that ran nothing, all may be. */
function whole(report: Report): CaseOfRunner {
  const stops = stopsOf(report).map(({ message, remedy }) => `${message} ${remedy}`)
  const text = ['all that is planned is judged: the verdict is inconclusive', ...stops].join('. ')
  const judgements = [{ text, isFailure: true, details: {} }]
  return { title: 'the run', judgements, verify: () => throwFailures(judgements) }
}

function caseOf(result: Result, isAdvice: (rule: string) => boolean): CaseOfRunner {
  const judgements = result.judgements.map((judgement): JudgementOfRunner => {
    const { rule, outcome, advisory, message, reason, expected, actual, pointer } = judgement
    const { counterexample, reproduce, replay } = judgement
    const isFailure = (outcome === 'failed' || outcome === 'cantTell') && !advisory && !isAdvice(rule)
    const text = [rule, message ?? reason].filter((part) => part !== undefined).join(': ')
    return {
      text: isFailure ? text : outcome === 'passed' ? rule : `${text} (${outcome})`,
      isFailure,
      details: isFailure
        ? {
            ...{ outcome, expected, actual, pointer, counterexample, reproduce, replay },
            exchanges: exchangesOf(result, judgement),
          }
        : {},
    }
  })
  const isSkipped = result.outcome === 'inapplicable' || result.outcome === 'untested'
  return {
    title: `${result.id}: ${result.title}`,
    ...(isSkipped && { skipped: result.reason ?? result.outcome }),
    judgements,
    verify: () => throwFailures(judgements.filter(({ isFailure }) => isFailure)),
  }
}

function throwFailures(failures: readonly JudgementOfRunner[]): void {
  if (failures.length === 0) return
  const error = new Error(
    failures.map(({ text, details }) => [text, ...hints(details)].join('\n')).join('\n'),
  )
  error.name = 'ConformanceError'
  // Where in the adapter it was found says nothing about the service.
  error.stack = `${error.name}: ${error.message}`
  throw error
}

function hints({ reproduce, replay }: JudgementOfRunner['details']): readonly string[] {
  return [
    ...(typeof reproduce === 'string' ? [`  reproduce: ${reproduce}`] : []),
    ...(typeof replay === 'string' ? [`  replay: ${replay}`] : []),
  ]
}
